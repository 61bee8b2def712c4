import { isDrawn, segmentsOf, wordShare } from './drawnValue.js';
import { isAccess } from './notation.js';

/** How a value stands in its text: in quotes, glued to its name as in `NAME=value`, or loose, as the next word of a sentence does. */
export type ValueForm = 'quoted' | 'glued' | 'loose';

/**
 * True where a value only stands for a secret, as documentation does: a variable, a template, a type, a call, a row of
 * stars, or plain words one of which says that it is not real. What is certainly a value may begin like any of these and
 * still be real: it then looks drawn.
 */
export function standsForSecret(value: string, form: ValueForm = 'glued'): boolean {
  return (
    notValues.some((pattern) => pattern.test(value)) ||
    isEnclosed(value, form) ||
    isCall(value, form) ||
    inAnyForm.some((stands) => stands(value))
  );
}

const inAnyForm = [isVariable, isElided, isType, isField, isAccess, isAttribute, isPath, isPlainSaying];

const notValues = [
  /^%\w+%?$|^@\w+@$/, // %TOKEN%, @token@
  /^(.)\1*$/, // ****, xxxx, ....
  /[*•]{3,}|x{5,}|…/i, // sk-****
  /^(?:process\.env|os\.environ|import\.meta|env|ENV|secrets?|vars?|config|settings|options?|this|self|args?|params|req(?:uest)?)[.[]/,
  /\$\{/, // a template
  /[A-Za-z]-[A-Za-z]\d-\d|\\[dwsS]|\\p\{|\]\{\d+(?:,?\d*\}|$)|\[\^?(?:[A-Za-z]-[A-Za-z]|\d-\d)|\(\?[=!:<]|^\.[*+]/, // [A-Za-z0-9]{32}
  /^!{1,2}(?:vault|ref|sub|getatt|importvalue|secret|reference|env|env_var|encrypted|include|join|file)$/i, // a tag of YAML
  /^(?:file|fileb|op|vault|env|ssm|awssm|gcpsm|akv|keyvault|sops|doppler|secretsmanager|keyring|keychain):\/\//i, // where it is kept
  /^@(?:[\w.~-]*\/){0,12}[\w-]+\.(?:txt|json|pem|key|ya?ml|env|bin|crt|p12|pw|conf)$/, // @pw.txt
  /^--[a-z][a-z-]+(?:=|$)/, // the next flag
  /^redacted\W*$/i,
  // what programs are first called with, as their manuals write it
  /^(?:postgres(?:ql)?|minioadmin|rabbitmq|mariadb|mongodb|superuser|administrator)$/i,
];

/** <token>, [token], {token}, {{ token }}. */
function isEnclosed(value: string, form: ValueForm): boolean {
  if (!/^[<[{]/.test(value)) return false;
  return form === 'loose' || !isDrawn(value.replaceAll(/^[<[{(]+|[>\]})]+$/g, ''));
}

/** $TOKEN, ${TOKEN}, $(command); and as SQL has them: &new_password, :password. */
function isVariable(value: string): boolean {
  if (value.startsWith('$(')) return true;
  if (/^(?:&{1,2}|:)[A-Za-z_]/.test(value)) return isPlainSaying(value.replace(/^[&:]+/, ''));
  const name = /^\$(\w+)$/.exec(value)?.[1];
  return name !== undefined && !isDrawn(name);
}

/** abc..., abc...xyz: the dots are the secret only where both sides of them look like one. */
function isElided(value: string): boolean {
  if (!value.includes('...')) return false;
  return value.split(/\.{3,}/).some((part) => part.length < 6 || !isDrawn(part));
}

function isType(value: string): boolean {
  const rest = typeName.exec(value)?.[1];
  return rest !== undefined && (!/^[^\s<|[({,;:=?&)\]}/]/.test(rest) || wordShare(rest) >= 0.5);
}

const typeName =
  /^(?:str(?:ing)?|text|number|int(?:eger)?|bool(?:ean)?|bytes|nul{1,2}|none|nil|undefined|true|false|any|unknown|object|optional|required|secretstr)\b(.*)$/is;

/** getPassword(), os.getenv(: a name that is spoken, or brackets that hold nothing drawn. */
function isCall(value: string, form: ValueForm): boolean {
  const at = value.indexOf('(');
  if (at < 0) return false;
  if (form === 'loose') return true;
  const callee = value.slice(0, at);
  if (!/^[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)*$/.test(callee)) return false;
  if (at === value.length - 1) return true;
  const closed = /\)[;,.]?$/.test(value) && !isDrawn(value.slice(at + 1).replace(/[);,.]+$/, ''));
  return closed || (form === 'glued' && wordShare(callee) >= 0.6);
}

/** user.password. */
function isField(value: string): boolean {
  if (!/^[A-Za-z_]\w*(?:\??\.[A-Za-z_]\w*)+$/.test(value)) return false;
  return value.length < 10 || wordShare(value) >= 0.35 || !/\d/.test(value);
}

/** `placeholder=`, with its value in quotes behind it, or nothing. */
function isAttribute(value: string): boolean {
  return /^[A-Za-z][\w.:@-]*=$/.test(value) && (wordShare(value) >= 0.6 || /^[A-Z_]+=$/.test(value));
}

function isPath(value: string): boolean {
  if (!/^(?:~|\.{0,2})\/[\w./-]*$|^[A-Za-z]:\\/.test(value)) return false;
  return value.length < 20 || wordShare(value) >= 0.3 || value.split(/[\\/]/).length > 4;
}

function isPlainSaying(value: string): boolean {
  if (!/^[A-Za-z]+(?:[-_. ]+[A-Za-z]+)*\d{0,3}$/.test(value) || wordShare(value) < 0.6) return false;
  return segmentsOf(value).some((segment) => sayings.has(segment.toLowerCase().replace(/s$/, '')));
}

const sayings = new Set(
  'your my the some example sample dummy fake placeholder change changeme changeit replace redacted insert todo here test testing demo foo bar pas pass password passwd secret token key user username admin value hidden env prompt hunter string'.split(
    ' ',
  ),
);
