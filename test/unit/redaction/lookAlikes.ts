import { generator } from './secretCorpus.js';

/** Two hundred pieces of text that look like secrets and are none, drawn from a seed where they are random. */
export function lookAlikes(seed: number): readonly string[] {
  const draw = generator(seed);
  const of = (length: number, alphabet: string): string =>
    Array.from({ length }, () => alphabet[Math.floor(draw() * alphabet.length)] ?? '').join('');
  const hex = (length: number): string => of(length, '0123456789abcdef');
  const base64 = (length: number): string =>
    of(length, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
  const uuid = (): string => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
  const lines = (count: number, length: number): string =>
    Array.from({ length: count }, () => base64(length)).join('\n');

  return [
    ...times(16, () => `Fixed in ${hex(40)}.`),
    ...times(6, () => `commit ${hex(40)}\nAuthor: Ada\n`),
    ...times(6, () => `See ${hex(7)}..${hex(7)} for the change.`),
    ...times(12, () => `sha256: ${hex(64)}  release.tar.gz`),
    ...times(6, () => `${hex(32)}  archive.zip`),
    ...times(6, () => `FROM node@sha256:${hex(64)}`),
    ...times(16, () => `The request id was ${uuid()}.`),
    ...times(6, () => `"id": "${uuid()}",`),
    ...times(8, () => `"integrity": "sha512-${base64(86)}=="`),
    ...times(6, () => `golang.org/x/text v0.14.0 h1:${base64(43)}=`),
    ...times(6, () => `<script integrity="sha384-${base64(64)}"></script>`),
    ...times(8, () => `![logo](data:image/png;base64,iVBORw0KGgo${base64(400)})`),
    ...times(6, () => `iVBORw0KGgoAAAANSUhEUgAA\n${lines(6, 76)}\n`),
    ...times(4, () => `-----BEGIN CERTIFICATE-----\nMIID${base64(60)}\n${lines(8, 64)}\n-----END CERTIFICATE-----`),
    ...times(4, () => `-----BEGIN PUBLIC KEY-----\n${lines(4, 64)}\n-----END PUBLIC KEY-----`),
    ...times(4, () => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${base64(43)} ada@laptop`),
    ...times(4, () => `ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ${base64(340)} ada@laptop`),
    ...times(4, () => `<script src="/assets/index-${hex(8)}.js"></script>`),
    ...times(4, () => `pod/web-${hex(9)}-${of(5, 'bcdfghjklmnpqrstvwxz2456789')} Running`),
    ...times(4, () => `ETag: "${hex(32)}"`),
    ...times(4, () => `https://docs.example.org/d/${base64(44).replaceAll(/[+/]/g, 'x')}/edit`),
    ...times(3, () => `https://www.youtube.com/watch?v=${base64(11).replaceAll(/[+/]/g, '_')}`),
    ...identifiers,
    ...documentation,
    ...languages,
  ];
}

function times(count: number, make: () => string): readonly string[] {
  return Array.from({ length: count }, make);
}

const identifiers = [
  'AbstractSingletonProxyFactoryBeanPostProcessorRegistrationHandler2',
  'thisIsAVeryLongCamelCaseIdentifierWithNumbers123And456InsideOfIt',
  'GetUserAccountTransactionHistoryByAccountIdAndDateRangeV2Async',
  'very_long_snake_case_identifier_with_many_words_and_a_number_42',
  'MAX_CONCURRENT_BACKGROUND_SYNCHRONISATION_REQUESTS_PER_CLIENT_32',
  'com.example.project.module.submodule.feature.FeatureServiceImplTest',
  'kebab-case-component-name-that-goes-on-for-quite-a-while-v12',
  'arn:aws:iam::123456789012:role/service-role/my-lambda-execution-role',
  'projects/my-project-123/locations/europe-west1/keyRings/main',
  '2024-11-05T13:45:30.123456789Z',
  '192.168.100.200:8080 and 2001:0db8:85a3:0000:0000:8a2e:0370:7334',
  '#ff5733 #33ff57 #3357ff',
  '4.17.21-beta.3+build.20241105',
  '978-3-16-148410-0',
  'DE89 3704 0044 0532 0130 00',
  '+49 30 901820',
  'aGVsbG8gd29ybGQsIHRoaXMgaXMganVzdCBzb21lIHBsYWluIHRleHQ=',
  'main/java/org/springframework/boot/autoconfigure/web/servlet/WebMvcAutoConfiguration',
];

const documentation = [
  'password: string;',
  'Passwords need at least 12 characters.',
  'The password field is required.',
  'const password = getPassword(user);',
  'password = os.environ["DB_PASSWORD"]',
  'password: ${DB_PASSWORD}',
  'token: ${{ secrets.GITHUB_TOKEN }}',
  'api_key = "YOUR_API_KEY"',
  'apiKey: process.env.OPENAI_API_KEY,',
  'OPENAI_API_KEY=<your key>',
  'export OPENAI_API_KEY=sk-...',
  'AWS_ACCESS_KEY_ID=AKIAXXXXXXXXXXXXXXXX',
  'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'Authorization: Bearer <token>',
  'Authorization: Bearer $TOKEN',
  'postgres://postgres:postgres@localhost:5432/postgres',
  'redis://:password@localhost:6379/0',
  'https://user:password@example.com/',
  'curl -u user:password https://example.com',
  'max_tokens: 4096, temperature: 0.2',
  'The token limit is 128000 tokens.',
  'primary_key: user_id',
  'cache_key = f"{user}:{page}"',
  '"key": "value", "secret": "my-secret"',
  'public_key: 3082010a0282010100c5e3',
  'Press the key: Ctrl+Shift+P',
  'secretName: web-tls',
  'passphrase: ""',
  'set the secret to true',
  'tokens: 1523 in, 342 out',
  'the basic authentication scheme',
  'signature: sign(payload, key)',
];

const languages = [
  '本技能用于将会议记录整理为行动项，每个行动项都必须包含负责人和截止日期。',
  '密码：请在设置页面中修改，至少十二个字符。',
  'このスキルはコミットメッセージを命令形で書くためのものです。',
  '비밀번호는 관리자에게 문의하십시오.',
  'Пароль: обратитесь к администратору, чтобы его изменить.',
  'Das Passwort: siehe Handbuch, Abschnitt vier.',
  '🔑 The key 🗝️ to success is patience.',
];
