import { caseless } from './caselessPattern.js';

/**
 * The names that people give to passwords, phrases and tokens, and what joins a name to its value, each as the source of a
 * pattern that is read without regard to case and as Unicode.
 */
export const password =
  '(?:p[a@4][s5$]{2}(?:w[o0]rd|wd|code|wort)s?|\\b(?:p(?:wd?|/w|sw\\b)|mdp|requirepass\\b|rootpw\\b|(?:src|dest)?(?:store|key)pass\\b)|kennw(?:ort|örter)|zugangscode|contrase(?:[ñn]as?|nya)|m(?:i clave|ots? de passe)|clave (?:de acceso|secreta)|s(?:enhas?|alasana)|palavra-passe|wachtwoord(?:en)?|密[码碼]|口令|パスワード|暗証番号|비밀번호|비번|암호|패스워드|парол(?:ь|я|ем)|lösenord(?:et)?|adgangskoden?|mật khẩu|kata sandi|รหัสผ่าน|كلمة (?:المرور|السر)|סיסמ[הא]|पासवर्ड)';
/** The same where the word means something else too: a slogan, a word, a cipher. */
export const otherPassword =
  '(?:\\bhes(?:lo|la|lem)(?!\\p{L})|\\bhas(?:ł|l)(?:o|a|em)(?!\\p{L})|\\bparol(?:[aăy]|ę)?(?!\\p{L})|şifre(?:m|si|niz|miz)?(?!\\p{L})|\\bjelsz(?:ó|ava|avam)(?!\\p{L})|\\blozink[aeu](?!\\p{L})|\\bgeslo(?!\\p{L})|\\bpassord(?:et)?(?!\\p{L})|κωδικός(?: πρόσβασης)?|пасс(?!\\p{L})|\\bsésame(?!\\p{L})|\\bsandi(?!\\p{L}))';
/** A password, and more often a key of a table or of a text. */
export const rarePassword = '\\bclave(?<!palabras? clave)(?!\\p{L})';
export const phrase =
  '(?:pass[ -]?phrases?|(?:seed|recovery|backup|secret)[ -]phrase|\\bmnemonic(?: phrase)?|phrase (?:secrète|de passe)|frase (?:secreta|de paso)|助[记記][词詞]|パスフレーズ|合い?言葉)';
export const token = '(?:\\btoken|令牌)';
export const key =
  '(?:\\b(?:api|access|secret|licen[cs]e|product|activation|registration|encryption|signing|private)[ -]?key|\\bactivation[ -]code|\\b(?:wpa[23]?|wi-?fi|wlan|network security)[ -]key|\\bwpa-psk|wlan-schlüssel|lizenzschlüssel|clé de licence|密[钥鑰]|许可证密钥)';

export const gap = '[ \\t\\u00a0\\u202f\\u3000]';
/** What it is the password of. */
export const about = `(?:${gap}{1,3}(?:for|of|to|on|at|in|from|für|fürs|von|vom|zum|zur|der|beim|pour|de|du|des|del|para|do|da|от|для|per|di|della|dello|voor|van|dla|pro|k|ke|od|na|till|för|til)(?=${gap})(?:[^:=\\n.!?。：]|\\.(?=[^\\s.])){1,60}?|${gap}?[(（[][^)\\]）\\n]{1,40}[)\\]）])?`;
export const sign = `["'\`*_]{0,3}(?:${gap}{0,3}(?:[:：=]|:=|=>|-{1,2}>|→|⇒)|${gap}{1,3}(?:is|are|reads|ist|lautet|hei(?:ß|ss)t|est|es|é|è|это|це|là|adalah|är|είναι|هي|هو|este)(?:${gap}{1,3}(?:now|still|jetzt|nun|maintenant|ahora|agora|ora|теперь))?${gap}{0,2}[:：]?(?=${gap})|${gap}{0,3}(?:就?[是叫]|[为為]|設[為成]|设置?[为成]|改[为為成]了?|换成了?|は|が|는|은|를|가|คือ)[:：]?)[*_]{0,3}${gap}{0,6}[*_]{0,3}`;
/** These join a password to its name, and much else too. */
export const weakSign = `${gap}{1,3}(?:was|to|war|auf|à|en|a|para)${gap}{1,3}`;
/** “the password’s …”, which much else follows too. */
export const briefSign = `['’]s${gap}{1,3}`;
/** `password (prod) - …`. */
export const dash = `${gap}{1,3}[-–—]{1,2}${gap}{1,3}`;

export const user = '\\b(?:user(?:name|[ -]id)?|usr|login|benutzer(?:name)?|usuario|utilisateur)';

/** In quotation marks of any kind. */
export const quoted =
  '(?:(?<quote>["\'`])(?<secret>[^"\'`\\n]{4,200})\\k<quote>|[“„«「『](?<bare>[^”“»」』\\n]{4,200})[”“»」』])';
/** The next word of a sentence, without what ends the sentence. */
export const loose =
  '(?!\\*)(?<secret>(?:[^\\s"\'`<>,;&“”„«»\\u3000-\\u30ff\\u4e00-\\u9fff\\uac00-\\ud7af\\uff00-\\uffef]|&(?!#?\\w{1,30}[=;])){5,199}[^\\s"\'`<>,;&“”„«».)\\]}|*:\\u3000-\\u30ff\\u4e00-\\u9fff\\uac00-\\ud7af\\uff00-\\uffef])';
/** Those of a wallet, also where a sentence goes on behind them, and numbered. */
export const walletWords =
  '(?<secret>(?:1[.)] ?)?\\p{L}{3,8}(?:[ ,\\t\\n]{1,2}(?:\\d{1,2}[.)] ?)?\\p{L}{3,8}){11,23})(?!\\p{L})';

/** Names that secrets stand behind and near: who looks for both looks for the names once. */
export const passwordName = caseless(password);
export const tokenName = caseless(token);
