/**
 * What a person says themselves in a message: without lines that they quote, and without what they report word for word of
 * somebody else (“the customer wrote: …”). Such words may be what the work is about; they are no wish of the person.
 */
export function ownWords(message: string): string {
  const lines = message.split('\n');
  const mail = lines.findIndex((line) => mailHead.test(line));
  const own = (mail < 0 ? lines : lines.slice(0, mail)).filter((line) => !/^\s{0,3}>/u.test(line)).join('\n');
  return withoutReports(own.replaceAll(reportedBefore, '')).trim();
}

/** The first line of a mail that was forwarded or pasted. */
const mailHead =
  /^\s{0,3}(?:[-=_]{3,}\s?(?:original|forwarded|ursprüngliche|weitergeleitete|message d|mensaje)|(?:From|Von|De|Absender|发件人|寄件者|差出人)\s?[:：]\s?\S)/iu;

/** A report ends with its quotation marks; without any it may go on to the end of the message. */
function withoutReports(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (const report of text.matchAll(reports)) {
    if (report.index < from) continue;
    kept.push(text.slice(from, sentenceStart(text, report.index, from)));
    const end = report.index + report[0].length;
    const quoted = inQuotes.exec(text.slice(end, end + longestQuoted))?.[0];
    if (quoted === undefined) return kept.join('');
    from = end + quoted.length;
  }
  return [...kept, text.slice(from)].join('');
}

const longestQuoted = 8_000;
const inQuotes = /^\s{0,3}(?:"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」|『[^』]*』)/u;

function sentenceStart(text: string, at: number, least: number): number {
  const ends = [...text.slice(least, at).matchAll(/[.!?](?=\s)|[\n。！？]/gu)];
  return least + (ends.at(-1)?.index ?? -1) + 1;
}

/** Somebody who is not the person says something, with a colon or quotation marks behind it. */
const verbs =
  '(?:wrote|writes|said|says|replied|answered|commented|complained|complains|insists|emailed|messaged|texted|schrieb|schreibt|sagte|sagt|meinte|meint|antwortete|a écrit|écrivait|a dit|a répondu|escribió|dijo|respondió)';
const somebody =
  '(?:customers?|clients?|users?|boss|manager|colleague|reviewer|supplier|kund(?:e|in|en)|chefin?|kolleg(?:e|in)|cliente|jefe|jefa|patron|collègue)';
const reports = new RegExp(
  [
    `(?<!\\b(?:I|we|ich|wir|je|nous|yo|(?:should|must|could) have)\\s)\\b${verbs}(?![\\p{L}])[^.!?\\n:："“„«「]{0,40}(?:\\s?[:：]|(?=\\s?["“„«「『]))`,
    `(?<=^|[.!?\\n]\\s{0,3})(?:(?:the|our|my|a|der|die|unser|mein|le|notre|mon|el|mi) )?${somebody}(?: \\p{L}{1,20}){0,2}\\s?[:：]`,
    '(?:写道|写到|说道?|回复|答复|表示|来信|留言|寫道|說)[^。！？\\n:：“「]{0,6}(?:[:：]|(?=[“「"]))',
    '(?:曰く|からのメール|からの返信)[^。\\n:：「]{0,6}(?:[:：]|(?=「))',
  ].join('|'),
  'giu',
);

/** In Japanese it is said behind the quotation. */
const reportedBefore = /[「『][^」』\n]{1,400}[」』]\s?と[^。\n]{0,20}(?:言|書|仰|おっしゃ)[^。\n]{0,12}/gu;
