import { isDrawn } from '../drawnValue.js';
import { isNotation } from '../notation.js';
import { isLikelyPassword, isPassword } from '../plausibleValue.js';
import { isRealPassword } from '../secretShape.js';
import type { SecretShape } from '../span.js';

/** Passwords that a command is given: each with the name of the command, or with a flag that takes nothing else. */
export const commandShapes: readonly SecretShape[] = [
  {
    // The password of MySQL's programs is glued to its flag; a space behind it asks for one.
    kind: 'command-password',
    pattern:
      /\b(?:mysql|mariadb)[a-z_-]{0,12}\b[^\n|;&]{0,300}?[ \t]-p(?:(?<quote>["'])(?<secret>[^"'\n]{3,200})\k<quote>|(?<bare>[^\s"'$|;][^\s"'|;]{2,200}))/dg,
    accept: isRealPassword,
  },
  {
    kind: 'command-password',
    pattern:
      /\b(?:redis-cli\b[^\n|;&]{0,300}?[ \t](?:-a|--pass)|(?:docker|podman|helm|oc|az|cf|nerdctl)\b[^\n|;&]{0,80}?\blogin\b[^\n|;&]{0,300}?[ \t]-p|(?:sqlcmd|bcp)\b[^\n|;&]{0,300}?[ \t]-P|(?:mongo(?:sh|dump|restore|export|import)?)\b[^\n|;&]{0,300}?[ \t]-p|ldap(?:search|modify|add|delete|passwd)\b[^\n|;&]{0,300}?[ \t]-w|(?:un)?zip\b[^\n|;&]{0,300}?[ \t]-P|net user \S{1,60})[ \t]{1,4}["']?(?<secret>[^\s"'$|;/-][^\s"'|;]{3,200})/dg,
    accept: (secret) => isRealPassword(secret) && (isDrawn(secret) || isLikelyPassword(secret)),
  },
  {
    kind: 'command-password',
    pattern: /[ \t](?:-passin|-passout|-pass|-k)[ \t]{1,4}["']?pass:(?<secret>[^\s"'$]{3,200})/dg,
    accept: isRealPassword,
  },
  {
    kind: 'command-password',
    pattern:
      /\bopenssl[ \t]{1,4}(?:enc|aes|des3?|camellia|aria|chacha20)\b[^\n|;&]{0,300}?[ \t](?:-k[ \t]{1,4}["']?(?!pass:|[a-z]{2,10}:\/\/)(?<secret>[^\s"'$|;&-][^\s"'|;]{2,200})|-K[ \t]{1,4}["']?(?<bare>[\dA-Fa-f]{8,128})(?![\w]))/dg,
    accept: isRealPassword,
  },
  {
    // smbclient -U bob%secret
    kind: 'command-password',
    pattern: /[ \t](?:-U|--user)[ \t=]{0,4}["']?[\w.@/\\-]{1,80}%(?<secret>[^\s"'$]{3,200})/dg,
    accept: isRealPassword,
  },
  {
    // net use \\server\share secret /user:bob, and the other way round
    kind: 'command-password',
    pattern:
      /\bnet use[ \t](?:[^\n|;]{0,100}?[ \t])?\\\\\S{1,200}(?:[ \t]{1,4}\/user:[^\s;|]{1,80})?[ \t]{1,4}["']?(?<secret>[^\s"'/*][^\s"'|;]{2,200})/dgi,
    accept: isRealPassword,
  },
  {
    kind: 'command-password',
    pattern:
      /\b(?:cmdkey|xfreerdp|mstsc|psexec|net use|schtasks)\b[^\n|;]{0,300}?[ \t]\/(?:(?:p|pass|password):|rp[ \t])["']?(?<secret>[^\s"'$/][^\s"'|;]{2,200})/dgi,
    accept: isRealPassword,
  },
  {
    kind: 'command-password',
    pattern: /\bpsexec(?:64)?(?:\.exe)?[ \t][^\n|;]{0,200}?-p[ \t]{1,4}["']?(?<secret>[^\s"'$/-][^\s"'|;]{2,200})/dgi,
    accept: isRealPassword,
  },
  {
    // echo secret | sudo -S, printf 'bob:secret' | chpasswd
    kind: 'command-password',
    pattern:
      /\b(?:echo|printf)[ \t]{1,4}(?:-n[ \t]{1,4})?["']?(?:[\w.-]{1,60}:)?(?<secret>[^\s"'$|:][^\s"'$|]{3,200})["']?[ \t]{0,4}\|[^\n|;]{0,100}?(?:\bsudo[ \t]{1,4}-S|-pass(?:word)?-stdin\b|\bchpasswd\b|\bkinit\b|--with-token|--passphrase-fd\b)/dg,
    accept: isRealPassword,
  },
  {
    kind: 'command-password',
    pattern:
      /\bcurl\b(?:(?![ \t](?:&&|\|\|?)[ \t])[^\n]){0,400}?[ \t](?:-[a-zA-Z]{0,6}[uU]|--user|--proxy-user)[ =]?["']?[^\s:"'$]{1,100}:(?<secret>[^\s"'$]{3,200})/dg,
    accept: isRealPassword,
  },
  {
    // Within single quotation marks a dollar is one.
    kind: 'command-password',
    pattern:
      /\bcurl\b(?:(?![ \t](?:&&|\|\|?)[ \t])[^\n]){0,400}?[ \t](?:-[a-zA-Z]{0,6}[uU]|--user)[ =]?'[^\s:'$]{1,100}:(?<secret>[^\s']{3,200})'/dg,
    accept: isRealPassword,
  },
  {
    // Elsewhere `-u` takes a user and a group as well, and those are words and numbers.
    kind: 'command-password',
    pattern: /[ \t](?:-u|-a|--user|--auth|--userpwd|--creds?)[ =]["']?[^\s:"'$/]{1,100}:(?<secret>[^\s"'$:/]{6,200})/dg,
    accept: (secret) => isRealPassword(secret) && isDrawn(secret) && !isNotation(secret),
  },
  {
    kind: 'command-password',
    pattern:
      /\b(?:(?:evil-winrm|hydra|medusa|rdesktop|crackmapexec|nxc)\b[^\n|;&]{0,300}?[ \t]-p|snmp[a-z]{1,12}\b[^\n|;&]{0,300}?[ \t]-[AX]|ssh-keygen\b[^\n|;&]{0,300}?[ \t]-[NP]|rabbitmqctl[ \t]{1,4}(?:add_user|change_password)[ \t]{1,4}\S{1,60}|mc[ \t]{1,4}alias[ \t]{1,4}set[ \t]{1,4}\S{1,60}[ \t]{1,4}\S{1,200}[ \t]{1,4}\S{1,100}|vault[ \t]{1,4}login)[ \t]{1,4}["']?(?<secret>[^\s"'$|;/<-][^\s"'|;]{3,200})/dg,
    accept: isWrittenPassword,
  },
  {
    // 7z x -psecret: glued to its flag, as in MySQL's programs
    kind: 'command-password',
    pattern:
      /\b(?:7z[arz]{0,2}|(?:un)?rar)[ \t][^\n|;&]{0,300}?(?<=[ \t])-p(?:(?<quote>["'])(?<secret>[^"'\n]{3,200})\k<quote>|(?<bare>[^\s"'$|;-][^\s"'|;]{2,200}))/dg,
    accept: isRealPassword,
  },
  {
    kind: 'command-password',
    pattern: /\b(?:input|owner|user)_pw[ \t]{1,4}(?:[A-Z]=)?["']?(?<secret>[^\s"'$|;<[][^\s"'|;]{2,200})/dg,
    accept: (secret) => isRealPassword(secret) && !/^(?:output|allow|PROMPT|input_pw|user_pw|owner_pw)$/.test(secret),
  },
  {
    kind: 'command-password',
    pattern:
      /\bwpa_passphrase[ \t]{1,4}(?:"[^"\n]{1,64}"|'[^'\n]{1,64}'|[^\s"']{1,64})[ \t]{1,4}["']?(?<secret>[^\s"'$|;<>&]{8,63})/dg,
    accept: isWrittenPassword,
  },
  {
    // sqlplus scott/secret@orcl; the tiger is in every manual
    kind: 'command-password',
    pattern:
      /\b(?:sqlplus|sqlldr|sqlcl|expdp|impdp)\b[^\n|;&]{0,200}?[ \t]["']?[\w$#]{1,60}\/["']{0,2}(?<secret>[^\s"'@/$|;]{3,100})(?=["']{0,2}@[\w/])/dg,
    accept: (secret) => isRealPassword(secret) && secret !== 'tiger',
  },
  {
    kind: 'command-password',
    pattern:
      /\b(?:sqlplus|sqlldr|sqlcl|expdp|impdp)\b[^\n|;&]{0,200}?[ \t]["']?[\w$#]{1,60}\/["']?(?<secret>[^\s"'@/$|;]{6,100})/dg,
    accept: isWrittenPassword,
  },
  {
    // psexec corp/bob:secret@10.0.0.7; an image stands before its hash or version in the same way
    kind: 'command-password',
    pattern:
      /(?<![\w/:.@%+\\-])[\w.-]{1,40}[/\\][\w.-]{1,60}:["']?(?<secret>[^\s:@/"'`<>()[\]{}]{6,100})["']?@(?!sha\d|v\d)(?:\d{1,3}(?:\.\d{1,3}){3}|[A-Za-z][\w-]{0,60}(?:\.[\w-]{1,60}){1,6})/dg,
    accept: (secret) => isWrittenPassword(secret) && isDrawn(secret),
  },
  {
    kind: 'command-password',
    pattern:
      /\b(?:impacket-\w{2,30}|(?:ps|wmi|smb|at|dcom)exec\.py|secretsdump(?:\.py)?)[ \t][^\n|;]{0,200}?[\w.-]{1,60}:["']?(?<secret>[^\s:@/"'$]{4,100})["']?@[\w-]/dg,
    accept: isRealPassword,
  },
  {
    kind: 'command-password',
    pattern: /\blftp\b[^\n|&]{0,200}?[ \t]-u[ \t]{0,4}["']?[\w.@+-]{1,60},(?<secret>[^\s"'$|;][^\s"'|;]{2,200})/dg,
    accept: isRealPassword,
  },
  {
    kind: 'command-password',
    pattern: /\bl?ftp\b[^\n|]{0,200}?\buser[ \t]{1,4}[\w.@+-]{1,60}[ \t]{1,4}(?<secret>[^\s"'$|;]{4,200})/dg,
    accept: isLikelyPassword,
  },
  {
    // kubectl create secret …: what it is made of is secret, whatever its name
    kind: 'command-password',
    pattern:
      /--from-literal[= \t]["']?[\w.-]{1,60}=(?<=\bsecret\b[^;|]{0,400})["']?(?<secret>[^\s"'$|;\\][^\s"'|;]{3,200})/dg,
    accept: isWrittenPassword,
  },
];

/** Where none of these stands in a text, no command is looked for. */
export const commandHint =
  /[ \t]-(?:p|P|a|w|u|U|k|K)|[ \t]-[a-zA-Z]{1,6}u[ \t]|[ \t]--(?:user|auth|proxy-user|userpwd|cred|pass)|[Nn]et use|[ \t]\/(?:p|rp)|-S\b|-stdin\b|chpasswd|kinit|--with-token|_pw[ \t]|wpa_pass|\bsql|dp[ \t]|:[^\s:@]{4,100}@|lftp|\bftp|--from-literal|[ \t]-[AXNP][ \t]|rabbitmqctl|alias set|vault login/;

/** No plain word and none that stands for a password, where a sentence about the command may go on in the same way. */
function isWrittenPassword(value: string): boolean {
  return isRealPassword(value) && !isNotation(value) && isPassword(value, 'loose');
}
