import { longestText } from '../../harvest/sessionDraft.js';
import type { HarvestedSession } from '../../harvest/harvested.js';
import type { Session } from '../../harvest/session.js';
import type { Redactor } from '../../redaction/redactor.js';
import type { RealPlace } from './visitSessions.js';

/** What stood behind “password:” in one message is taken out of the others too, unless it is a word that may be any. */
const shortestElsewhere = 8;

/** Takes the secrets out of a session: out of everything in it that somebody said, and out of names that somebody chose. */
export function sessionRedactor(
  redactor: Redactor,
): (session: Session, place: RealPlace) => Session & Pick<HarvestedSession, 'shownFolders'> {
  return (session, { realFolder, alsoIn = [] }) => {
    const secrets = new Map<string, string>();
    const clean = (text: string): string => {
      const redaction = redactor.redact(text);
      for (const { placeholder } of redaction.found) secrets.set(placeholder, redactor.restore(placeholder));
      return redaction.text;
    };
    const { branch, commit } = session.git;
    const shownFolders = [realFolder, ...alsoIn].map(clean);
    const exchanges = session.exchanges.map((exchange) => ({
      ...exchange,
      asked: clean(wholeWords(exchange.asked)),
      answer: clean(wholeWords(exchange.answer)),
      tools: exchange.tools.map(clean),
      skills: exchange.skills.map(clean),
    }));
    const git = {
      branch: branch === undefined ? undefined : clean(branch),
      commit: isCommit(commit) ? commit : undefined,
    };
    const known = [...secrets].filter(([, secret]) => secret.length >= shortestElsewhere);
    const everywhere = (text: string): string =>
      known.reduce((rest, [placeholder, secret]) => rest.replaceAll(secret, () => placeholder), text);
    return {
      ...session,
      id: everywhere(clean(session.id)),
      // Shown; where it lies is known by its real path.
      folder: session.folder === undefined ? undefined : everywhere(clean(session.folder)),
      shownFolders: shownFolders.map(everywhere),
      git,
      exchanges: exchanges.map((each) => ({ ...each, asked: everywhere(each.asked), answer: everywhere(each.answer) })),
    };
  };
}

/** Of a text that was cut the last word may be half a key, which nobody would recognise. */
function wholeWords(text: string): string {
  if (text.length < longestText) return text;
  let end = text.length;
  while (end > 0 && /[\w+/=.~-]/u.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end).trimEnd();
}

function isCommit(commit: string | undefined): boolean {
  return commit !== undefined && /^[0-9a-f]{7,64}$/u.test(commit);
}
