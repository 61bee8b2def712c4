import path from 'node:path';
import { isInside } from '../../../isInside.js';
import type { HelperSettings } from './messages.js';

/**
 * Whether nobody should be advised to open a place because a program wanted it: our own state, tasks and their answers,
 * keys and logins of the person, or a folder that holds any of these. What a program wants is its own choice, so a hostile
 * one would else have Whetstone ask for just what it is after. Give it the real path.
 */
export function staysClosed(
  place: string,
  { home, kept, sealed, own, attempts }: Pick<HelperSettings, 'home' | 'kept' | 'sealed' | 'own' | 'attempts'>,
): boolean {
  const names = place.split(path.sep);
  return (
    [home, own, attempts, ...kept, ...sealed].some((other) => isInside(place, other)) ||
    [own, ...sealed, ...ofSystem].some((other) => isInside(other, place)) ||
    names.some((name) => secretNames.some((each) => each.test(name))) ||
    secretPlaces.some((secret) => lies(names, secret.split('/'))) ||
    secretPlaces.some((secret) => isInside(place, path.join(home, secret)))
  );
}

const ofSystem = ['/run/user', '/run/secrets'];

/** Files and folders that hold keys, logins or answers wherever they lie. */
const secretNames = [
  /^evals$/u,
  /^\.(?:ssh|gnupg|aws|azure|kube|docker|gcloud|oci|terraform\.d|chef|password-store|pki|age)$/iu,
  /^\.(?:claude|codex|copilot|gemini|cursor|opencode|whetstone|mozilla|thunderbird)(?:\.json)?$/iu,
  /^\.(?:netrc|git-credentials|npmrc|yarnrc(?:\.yml)?|pypirc|pgpass|my\.cnf|s3cfg|boto|vault-token|htpasswd)$/iu,
  /^\.git$|^\.env(?:\..*)?$|^\.envrc$|_history$/iu,
  /^id_(?:rsa|dsa|ecdsa|ed25519)|\.(?:pem|key|p12|pfx|jks|keystore|kdbx|gpg|asc|ovpn)$/iu,
  /keyrings?$|credential|secrets?\.(?:json|ya?ml|toml|env)$|wallet/iu,
];

/** The same as paths of a home. */
const secretPlaces = [
  '.config/gh',
  '.config/hub',
  '.config/git',
  '.config/glab-cli',
  '.config/gcloud',
  '.config/rclone',
  '.config/sops',
  '.config/op',
  '.config/google-chrome',
  '.config/chromium',
  '.config/BraveSoftware',
  '.config/Code',
  '.config/Cursor',
  '.config/github-copilot',
  '.config/opencode',
  '.local/share/keyrings',
  '.local/share/opencode',
  '.m2/settings.xml',
  '.cargo/credentials.toml',
  '.gem/credentials',
];

function lies(names: readonly string[], within: readonly string[]): boolean {
  return names.some((_, from) => within.every((name, index) => names[from + index] === name));
}
