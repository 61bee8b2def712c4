import { draws } from './draws.js';

/** One way to write a secret that a reader sees at once and a pattern does not. */
export interface HardWay {
  readonly name: string;
  readonly text: string;
  /** What must not be left in the text; as it is written there. */
  readonly secret: string;
}

/** Every way, with secrets drawn from the seed. Some are here that nobody finds: what is counted is the share. */
export function hardWays(seed: number): readonly HardWay[] {
  const draw = draws(seed);
  return ways.map(([name, form, text, change]) => {
    const password = `${draw('A', 1)}${draw('a', 2)}${draw('1', 1)}${draw('a', 2)}${draw('A', 2)}${draw('1', 1)}`;
    const signs = `${draw('A', 1)}${draw('a', 1)}!${draw('1', 1)}${draw('a', 2)}#${draw('A', 2)}${draw('1', 1)}`;
    const drawn: Readonly<Record<string, string>> = { p: password, s: signs, t: draw('w', 32), h: draw('h', 32) };
    const plain = form.replaceAll(/\{([psth])\}/g, (_, kind: string) => drawn[kind] ?? '');
    const secret = change?.(plain) ?? plain;
    return { name, secret, text: text.replace('§', () => secret) };
  });
}

/**
 * The name of the way; the secret, where `{p}` is a password of nine letters and digits, `{s}` one with signs that need no
 * quotes, `{t}` 32 letters and digits and `{h}` 32 hexadecimal digits; and the text, where `§` is the secret.
 */
type Way = readonly [name: string, form: string, text: string, change?: (secret: string) => string];

const ways: readonly Way[] = [
  // Values that look like something else
  ['a bracket inside of a quoted value', '{p}(x!', 'DB_PASSWORD="§"'],
  ['a bracket inside of a bare value', 'Ab({p}', 'DB_PASSWORD=§\n'],
  ['a key of Django', '{t}({s}=)^&', "SECRET_KEY = 'django-insecure-§'"],
  ['a dollar in front, quoted', '${p}', 'password: "§"'],
  ['a dollar in front, bare', '${p}', 'POSTGRES_PASSWORD=§\n'],
  ['braces around it', '{{p}}', '"password": "§"'],
  ['square brackets around it', '[{p}]', '"password": "§"'],
  ['a brace in front', '{{s}', "db_password='§'"],
  ['an angle bracket in front', '<{s}', "db_password='§'"],
  ['three dots inside', '{p}...{s}', 'password = "§"'],
  ['a dot inside, like a field', '{p}.{p}', 'password = "§"'],
  ['a slash in front, like a path', '/{t}', 'aws_secret: §'],
  ['a word of a type in front', 'true{s}', 'password: "§"'],
  ['an escaped quote inside', '{p}\\"{s}', '{"password": "§"}'],
  ['a comma inside of a line of an env file', '{p},{s}', 'DB_PASSWORD=§\n'],
  ['a semicolon inside of a line of an env file', '{p};{s}', 'export DB_PASSWORD=§\n'],
  // Names that are not “password”
  ['“pass” in JSON', '{s}', '{"user": "ada", "pass": "§"}'],
  ['“pass” in YAML', '{p}', 'smtp:\n  user: ada\n  pass: §\n'],
  ['German', '{p}', 'Passwort: §'],
  ['a German compound', '{p}', 'Das Datenbankpasswort lautet §.'],
  ['Kennwort', '{s}', 'Kennwort ist §'],
  ['Spanish', '{p}', 'La contraseña es §.'],
  ['Spanish with a colon', '{p}', 'Contraseña: §'],
  ['Chinese', '{p}', '数据库密码：§'],
  ['Chinese in a sentence', '{p}', '登录密码是§，请勿外传。'],
  ['French', '{p}', 'Mot de passe\u00a0: §'],
  ['French in a sentence', '{p}', 'Le mot de passe est §.'],
  ['Portuguese', '{p}', 'A senha é §.'],
  ['Portuguese with a sign', '{p}', 'senha=§'],
  ['Russian', '{p}', 'Пароль: §'],
  ['Russian in capitals', '{p}', 'ПАРОЛЬ = "§"'],
  ['Japanese', '{p}', 'パスワード：§'],
  // No sign between name and value
  ['.netrc on one line', '{p}', 'machine git.example.com login ada password §'],
  ['.netrc on three lines', '{p}', 'machine git.example.com\n  login ada\n  password §\n'],
  ['a sentence with “was”', '{p}', 'His password was §, until Friday.'],
  ['a sentence with “to”', '{s}', 'Set the admin password to § and restart.'],
  ['ENV of a Dockerfile', '{p}', 'ENV DB_PASSWORD §\n'],
  ['a row of a table', '{p}', '| name | value |\n|---|---|\n| DB password | § |\n'],
  ['bold in Markdown', '{p}', '**Password:** §'],
  ['an arrow', '{p}', 'password → §'],
  ['a block of YAML', '{p}', 'password: |\n  §\n'],
  ['SQL', '{p}', "CREATE USER ada IDENTIFIED BY '§';"],
  ['SQL of Postgres', '{p}', "ALTER ROLE ada WITH PASSWORD '§';"],
  // Commands
  ['mysql -p', '{p}', 'mysql -u root -p§ shop < dump.sql'],
  ['mysqldump with a quoted -p', '{s}', "mysqldump -uroot -p'§' shop"],
  ['-u outside of curl', '{p}', 'http-client get -u ada:§ https://a.example'],
  ['httpie', '{s}', 'http -a ada:§ https://a.example'],
  ['redis-cli -a', '{p}', 'redis-cli -h cache -a § PING'],
  ['docker login -p', '{p}', 'docker login -u ada -p § registry.example'],
  ['sqlcmd -P', '{s}', 'sqlcmd -S db -U sa -P § -Q "select 1"'],
  ['openssl pass:', '{p}', 'openssl rsa -in k.pem -passin pass:§'],
  ['net user', '{s}', 'net user ada § /add'],
  ['a login in code', '{p}', 'requests.get(url, auth=("ada", "§"))'],
  ['a login before a host', '{p}', 'Connect to ada:§@db.example.com please.'],
  // Sessions
  ['a cookie of Django', '{t}', 'Cookie: theme=dark; sessionid=§; lang=en'],
  ['a cookie of PHP', '{t}', 'curl -b "PHPSESSID=§" https://a.example', (secret) => secret.slice(6)],
  ['a cookie of Java', '{h}', 'https://a.example/x;JSESSIONID=§', (secret) => secret.toUpperCase()],
  ['a cookie that is set', '{t}', 'Set-Cookie: connect.sid=s%3A§; Path=/; HttpOnly'],
  // Hidden on purpose, or by how texts are made
  ['written as an HTML entity', '{p}', 'password&#61;§'],
  ['encoded for an address', '{p}', 'body=user%3Dada%26password%3D§%26x%3D1'],
  ['a name with a line break behind it', '{p}', 'Password:\n\n    §\n'],
  ['glued together in code', '{p}', 'password = "§"', (secret) => `${secret.slice(0, 3)}" + "${secret.slice(3)}`],
  ['spelled out', '{p}', 'The password is §', (secret) => secret.split('').join(' ')],
  ['in base64', 'ada:{p}', 'echo § | base64 -d', (secret) => Buffer.from(secret).toString('base64')],
  ['words with spaces', 'correct horse battery staple', 'passphrase = "§"'],
  ['a word of a dictionary', 'wintergreen', 'The password is §.'],
  ['backwards', '{p}', 'Read it backwards: §'],
  ['a number', '84712093', 'The PIN of the vault is §.'],
];
