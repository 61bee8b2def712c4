import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chooseModels, endpointFor, knownSecrets } from '../../../../src/app/models/chooseModels.js';
import { azureToken, mayGetToken } from '../../../../src/models/azure/azureLogin.js';
import { ChatServer, json, refusal, stream } from '../../../fakes/ChatServer.js';

const never = new AbortController().signal;
const question = {
  role: 'target',
  messages: [{ role: 'user', content: 'Hello' }],
  maxOutputTokens: 100,
  attempt: 1,
} as const;

describe('a login to Azure without a key', () => {
  const servers: ChatServer[] = [];
  const folders: string[] = [];
  after(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    folders.forEach((folder) => rmSync(folder, { recursive: true, force: true }));
  });

  it('is that of “az login”: asked for once, sent as a bearer, and taken out of what is written', async () => {
    const { target, server, calls, surroundings, specs } = await onAzure(azSays('one', 3_600));
    assert.equal((await target.complete(question, never)).text, 'Hello, ***.');
    await target.complete({ ...question, attempt: 2 }, never);
    assert.deepEqual(bearers(server), ['Bearer token-one', 'Bearer token-one']);
    assert.ok(server.requests.every(({ headers }) => headers['api-key'] === undefined));
    assert.equal(calls(), 1);
    assert.deepEqual(await knownSecrets(specs, surroundings), ['token-one']);
  });

  it('is renewed before it runs out', async () => {
    const { target, server, calls } = await onAzure(azSays('$(wc -l < calls)', 60));
    await target.complete(question, never);
    await target.complete({ ...question, attempt: 2 }, never);
    assert.equal(calls(), 3);
    assert.equal(new Set(bearers(server)).size, 2);
  });

  it('is asked for once by all calls that find it run out', async () => {
    // The first is good for an hour, the second for two.
    const { calls, surroundings } = await onAzure(azSays('$(wc -l < calls)', '3600 * $(wc -l < calls)'));
    const later = Date.now() + 3_600_000;
    const tokens = await Promise.all(Array.from({ length: 8 }, () => azureToken('azure_cli', surroundings, later)));
    assert.deepEqual([...new Set(tokens)], ['token-2']);
    assert.equal(calls(), 2);
  });

  it('runs no “az” that the workspace holds, and hands none of the person’s keys over', async () => {
    const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'whetstone-azure-')));
    folders.push(folder);
    const [workspace, installed] = [path.join(folder, 'clone'), path.join(folder, 'bin')];
    const script = (token: string): string => `#!/bin/sh\npwd > ${folder}/where\nenv > ${folder}/env\n${token}\n`;
    for (const [place, says] of [
      [workspace, 'of-clone'],
      [installed, 'of-person'],
    ] as const) {
      mkdirSync(place);
      writeFileSync(path.join(place, 'az'), script(azSays(says, 3_600)), { mode: 0o700 });
    }
    const here = path.relative(process.cwd(), workspace);
    const token = (PATH: string): Promise<string> => {
      const environment = { PATH, OPENAI_API_KEY: 'sk-secret', AZURE_CONFIG_DIR: '/config' };
      return azureToken('azure_cli', { environment, fetch: globalThis.fetch, workspace: [workspace] });
    };
    assert.equal(await token([here, '', '.', workspace, installed, '/usr/bin', '/bin'].join(':')), 'token-of-person');
    const handed = readFileSync(path.join(folder, 'env'), 'utf8');
    assert.doesNotMatch(handed, /sk-secret|clone/);
    assert.match(handed, /AZURE_CONFIG_DIR=\/config/);
    assert.equal(readFileSync(path.join(folder, 'where'), 'utf8').trim(), realpathSync(os.homedir()));
    await assert.rejects(token([here, '', workspace].join(':')), { message: 'The Azure CLI (az) was not found.' });
  });

  it('says that nobody is logged in, or that the program is not there, and asks no server', async () => {
    const before = servers.length;
    const [out, gone] = ['echo "Please run az login to setup account." >&2; exit 1', undefined];
    await assert.rejects(onAzure(out), {
      code: 'model-key-missing',
      message: 'The Azure CLI gave no token: Please run az login to setup account.',
      cure: 'Run “az login”, then try again.',
    });
    await assert.rejects(onAzure(gone), { message: 'The Azure CLI (az) was not found.' });
    await assert.rejects(onAzure('echo "{}"'), { message: 'The Azure CLI gave no token that can be read.' });
    assert.deepEqual(
      servers.slice(before).map(({ requests }) => requests.length),
      [0, 0, 0],
    );
  });

  it('says that the login was refused, and which role the account needs', async () => {
    const { target, server } = await onAzure(azSays('one', 3_600));
    server.answers(refusal(401, { message: 'PermissionDenied for token-one' }));
    await assert.rejects(target.complete(question, never), {
      kind: 'auth',
      message: /^Azure OpenAI refused the login: (?!.*token-one)/,
      cure: /Cognitive Services OpenAI User/,
    });
  });

  for (const [where, variables, header] of [
    ['the address of the machine', (url: string) => ({ AZURE_POD_IDENTITY_AUTHORITY_HOST: url }), 'metadata'],
    [
      'the address of the service',
      (url: string) => ({ IDENTITY_ENDPOINT: `${url}/msi/token`, IDENTITY_HEADER: 'h', AZURE_CLIENT_ID: 'mine' }),
      'x-identity-header',
    ],
  ] as const) {
    it(`is the identity of the machine, told at ${where}`, async () => {
      const identity = await started({ withList: true });
      identity.answers(json(200, { access_token: 'token-me', expires_on: String(Date.now() / 1000 + 3_600) }));
      const url = identity.baseUrl.replace(/\/v1$/, '');
      const { target, server } = await onAzure(undefined, 'managed_identity', variables(url));
      await target.complete(question, never);
      assert.deepEqual(bearers(server), ['Bearer token-me']);
      const [asked] = identity.requests;
      assert.ok(asked?.headers[header] !== undefined);
      assert.match(asked.path, /resource=https%3A%2F%2Fcognitiveservices\.azure\.com/);
      assert.equal(asked.path.includes('client_id=mine'), header === 'x-identity-header');
    });
  }

  it('says where the machine has no identity', async () => {
    const identity = await started({ withList: true });
    identity.answers(json(400, { error: 'invalid_request', error_description: 'Identity not found' }));
    const variables = { AZURE_POD_IDENTITY_AUTHORITY_HOST: identity.baseUrl.replace(/\/v1$/, '') };
    await assert.rejects(onAzure(undefined, 'managed_identity', variables), {
      code: 'model-key-missing',
      message: /^This machine has no managed identity that gives a token \(400 /,
    });
  });

  it('is the account of the window, and says so where there is none', async () => {
    const asked: string[] = [];
    const account = async (scope: string) => (asked.push(scope), 'token-window');
    const { target, server } = await onAzure(undefined, 'vscode', {}, account);
    await target.complete(question, never);
    assert.deepEqual(bearers(server), ['Bearer token-window']);
    assert.deepEqual([...new Set(asked)], ['https://cognitiveservices.azure.com/.default']);
    await assert.rejects(onAzure(undefined, 'vscode'), { message: /in its windows alone/ });
    await assert.rejects(
      onAzure(undefined, 'vscode', {}, () => Promise.resolve(undefined)),
      { message: /Nobody is signed in/ },
    );
  });

  it('is sent to Azure, to this machine and to where the environment says alone', async () => {
    const environment = { AZURE_OPENAI_ENDPOINT: 'https://gateway.example/azure' };
    const allowed = [
      'https://r.openai.azure.com',
      'https://r.services.ai.azure.com/x',
      'https://gateway.example/other',
    ];
    const refused = [
      'https://evil.example',
      'https://openai.azure.com.evil.example',
      'http://r.openai.azure.com',
      'https://r-openai.azure.com',
      'nothing',
    ];
    assert.deepEqual(
      allowed.filter((each) => !mayGetToken(each, environment)),
      [],
    );
    assert.deepEqual(
      refused.filter((each) => mayGetToken(each, environment)),
      [],
    );
    const surroundings = { environment: { PATH: '/nowhere' }, fetch: globalThis.fetch };
    await assert.rejects(endpointFor('https://evil.example?api-version=1&login=azure_cli#m', surroundings), {
      code: 'model-key-exposed',
    });
  });

  it('is named among the options, or in the environment, and a wrong name is told', async () => {
    const environment = { AZURE_OPENAI_ENDPOINT: 'http://127.0.0.1:9', AZURE_OPENAI_AUTH_MODE: 'no_such' };
    const surroundings = { environment, fetch: globalThis.fetch };
    await assert.rejects(endpointFor('azure/dep', surroundings), { message: 'Azure has no login “no_such”.' });
    await assert.rejects(endpointFor('azure/dep?login=vscode', surroundings), { message: /in its windows alone/ });
    const keyed = { ...surroundings, environment: { ...environment, AZURE_OPENAI_AUTH_MODE: 'api_key' } };
    await assert.rejects(endpointFor('azure/dep', keyed), { message: 'There is no API key for Azure OpenAI.' });
  });

  async function started(options = {}): Promise<ChatServer> {
    const server = await ChatServer.start(options);
    servers.push(server);
    return server;
  }

  /** A model on a stand-in for Azure, where `az` is a script of this text; without it there is none. */
  async function onAzure(
    az: string | undefined,
    login = 'azure_cli',
    variables: Readonly<Record<string, string>> = {},
    azureAccount?: (scope: string) => Promise<string | undefined>,
  ) {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'whetstone-azure-'));
    folders.push(folder);
    const count = path.join(folder, 'calls');
    writeFileSync(count, '');
    if (az !== undefined) {
      writeFileSync(path.join(folder, 'az'), `#!/bin/sh\ncd "$(dirname "$0")"\necho "$*" >> calls\n${az}\n`);
      chmodSync(path.join(folder, 'az'), 0o700);
    }
    const server = await started();
    server.answers(stream({ deltas: [{ content: 'Hello, token-one.' }] }));
    const origin = new URL(server.baseUrl).origin;
    const spec = `${origin}?api-version=2024-10-21&login=${login}#dep`;
    const specs = { target: spec, optimizer: undefined, judge: undefined };
    const searched = az === undefined ? folder : `${folder}:/usr/bin:/bin`;
    const surroundings = { environment: { PATH: searched, ...variables }, fetch: globalThis.fetch, azureAccount };
    const { target } = await chooseModels(specs, surroundings);
    return { target, server, specs, surroundings, calls: () => linesOf(count) };
  }
});

function azSays(token: string, seconds: number | string): string {
  return `echo "{\\"accessToken\\": \\"token-${token}\\", \\"expires_on\\": $(( $(date +%s) + ${seconds} ))}"`;
}

function linesOf(file: string): number {
  return readFileSync(file, 'utf8').split('\n').length - 1;
}

function bearers({ requests }: ChatServer): readonly (string | undefined)[] {
  return requests.map(({ headers }) => headers.authorization);
}
