import assert from 'node:assert/strict';
import { examineEndpoint, isHealthy, printReport, type DoctorReport } from '../../../../src/models/doctor/doctor.js';
import type { Surroundings } from '../../../../src/models/doctor/setting.js';
import type { Endpoint } from '../../../../src/models/openai/endpoint.js';
import type { Fetch } from '../../../../src/models/openai/openaiClient.js';
import { brokenFetch } from '../../../fakes/brokenFetch.js';
import { ChatServer, json, refusal, stream, type ChatAnswer } from '../../../fakes/ChatServer.js';
import { ManualClock } from '../../../fakes/ManualClock.js';

const { signal } = new AbortController();
const key = 'sk-planted-key-0123456789abcdef';
const plain: Surroundings = { environment: {}, remoteName: undefined, proxyAware: false };

describe('doctor', () => {
  let server: ChatServer;
  beforeEach(async () => {
    server = await ChatServer.start({ withList: true });
  });
  afterEach(() => server.stop());

  const examine = (
    endpoint: Partial<Endpoint> = {},
    { surroundings = plain, through = fetch }: { readonly surroundings?: Surroundings; readonly through?: Fetch } = {},
  ): Promise<DoctorReport> =>
    examineEndpoint(
      {
        endpoint: { provider: 'custom', baseUrl: server.baseUrl, model: 'm', apiKey: key, ...endpoint },
        fetch: through,
        clock: new ManualClock(),
        surroundings,
      },
      signal,
    );

  it('finds a healthy server healthy: reachable, listed, answering, structured', async () => {
    server.answers(
      serving(
        ['m', 'n'],
        stream({ deltas: [{ content: '{"blue":true}' }], usage: { prompt_tokens: 9, completion_tokens: 4 } }),
      ),
    );
    const report = await examine();
    assert.ok(isHealthy(report));
    assert.deepEqual(
      report.findings.map(({ check, state }) => `${check}: ${state}`),
      [
        'address: ok',
        'surroundings: ok',
        'key: ok',
        'reachable: ok',
        'model listed: ok',
        'tiny call: ok',
        'structured output: ok',
      ],
    );
    assert.match(finding(report, 'tiny call').what, /13 tokens/);
    assert.match(finding(report, 'structured output').what, /^Yes/);
    assert.equal(server.requests.length, 3);
  });

  it('says where a model is not listed, and which are', async () => {
    server.answers(serving(['a', 'b'], stream({ deltas: [{ content: '{}' }] })));
    const { state, cure } = finding(await examine(), 'model listed');
    assert.equal(state, 'warning');
    assert.match(cure, /a, b/);
  });

  it('counts one listed model as one', async () => {
    server.answers(serving(['a'], stream({ deltas: [{ content: '{}' }] })));
    const { what, cure } = finding(await examine(), 'model listed');
    assert.deepEqual([what, cure], ['“m” is not the one model that is listed.', 'Choose it: a.']);
  });

  for (const reply of ['{"sky":"blue"}', '{"blue":true,"sky":"blue"}', '{"blue":"yes"}'])
    it(`does not say that the server holds replies to a schema where it answers ${reply}`, async () => {
      server.answers(serving(['m'], stream({ deltas: [{ content: reply }] })));
      const report = await examine();
      const { state, what } = finding(report, 'structured output');
      assert.equal(state, 'warning');
      assert.match(what, /^No: the server takes a schema/);
      assert.ok(isHealthy(report), 'replies of another form can often be read all the same');
    });

  it('does not mind a server without a list', async () => {
    server.answers((response, request) =>
      (request.method === 'GET' ? refusal(404, { message: 'Not Found' }) : stream({ deltas: [{ content: '{}' }] }))(
        response,
        request,
      ),
    );
    const report = await examine();
    assert.ok(isHealthy(report));
    assert.equal(finding(report, 'model listed').state, 'skipped');
  });

  it('says that the form of replies is asked for in words where the server cannot hold to it', async () => {
    server.answers(serving(['m'], stream({ deltas: [{ content: 'Ready, and yes, it is blue.' }] })));
    assert.match(finding(await examine(), 'structured output').what, /^No/);
  });

  it('tells what to do about a model that only thinks', async () => {
    server.answers(serving(['m'], stream({ deltas: [{ reasoning_content: 'Hm.' }], finish: 'length' })));
    const { state, what, cure } = finding(await examine(), 'tiny call');
    assert.deepEqual([state, what], ['failed', 'The model spent all 1024 tokens of its answer on thinking.']);
    assert.match(cure, /think less/);
  });

  it('tells what to do about a wrong key, and asks no more', async () => {
    server.answers(refusal(401, { message: `Incorrect API key provided: ${key}` }));
    const report = await examine({ provider: 'openai' });
    assert.equal(isHealthy(report), false);
    assert.match(finding(report, 'tiny call').cure, /Set the API key again/);
    assert.equal(finding(report, 'structured output').state, 'skipped');
  });

  it('tells what to do about a server that is not there', async () => {
    const { baseUrl } = server;
    await server.stop();
    server = await ChatServer.start({ withList: true });
    const report = await examine({ provider: 'ollama', baseUrl });
    assert.deepEqual([finding(report, 'reachable').state, report.findings.at(-1)?.check], ['failed', 'reachable']);
    assert.match(finding(report, 'reachable').cure, /ollama serve/);
  });

  it('tells a certificate that is not trusted from a server that is not there', async () => {
    const untrusted = brokenFetch('SELF_SIGNED_CERT_IN_CHAIN');
    const { what, cure } = finding(await examine({}, { through: untrusted }), 'reachable');
    assert.match(what, /SELF_SIGNED_CERT_IN_CHAIN/);
    assert.match(cure, /NODE_EXTRA_CA_CERTS/);
  });

  for (const [code, cures] of [
    ['EPROTO', /write http:\/\/ for https:\/\//],
    ['HPE_INVALID_CONSTANT', /Something else than a model server/],
  ] as const) {
    it(`says what answers instead where a connection ends with ${code}`, async () => {
      assert.match(finding(await examine({}, { through: brokenFetch(code) }), 'reachable').cure, cures);
    });
  }

  const contexts: readonly (readonly [
    name: string,
    provider: string,
    says: Readonly<Record<string, unknown>>,
    expected: RegExp,
  ])[] = [
    [
      'one of Ollama that is short',
      'ollama',
      { '/api/ps': { models: [{ name: 'm', context_length: 4096 }] }, '/api/show': {} },
      /^warning The model is served with a context of 4,096 tokens\. Longer prompts are cut without a word.* what yours needs, less or more, is said before a run\. .*OLLAMA_CONTEXT_LENGTH=16384/,
    ],
    [
      'one of Ollama that is long enough',
      'ollama',
      { '/api/ps': { models: [{ name: 'm', context_length: 32_768 }] }, '/api/show': {} },
      /^ok The model is served with a context of 32,768 tokens\. $/,
    ],
    [
      'one that is all that the model has',
      'ollama',
      {
        '/api/ps': { models: [{ name: 'm', context_length: 8192 }] },
        '/api/show': { model_info: { 'x.context_length': 8192 } },
      },
      /^ok .* 8,192 tokens\. $/,
    ],
    [
      'one of llama.cpp, which refuses what is longer',
      'llamacpp',
      { '/props': { default_generation_settings: { n_ctx: 2048 }, total_slots: 4 } },
      /^warning .* 2,048 tokens\. Longer prompts are refused\. .*--ctx-size 65536/,
    ],
    ['one that LM Studio does not tell', 'lmstudio', {}, /^skipped The server does not say how long it is\. $/],
  ];
  for (const [name, provider, says, expected] of contexts) {
    it(`says what the server says of its context: ${name}`, async () => {
      server.answers((response, request) => {
        const said = says[request.path];
        if (said !== undefined) return json(200, said)(response, request);
        const answer = serving(['m'], stream({ deltas: [{ content: '{"blue":true}' }] }));
        return request.path.startsWith('/v1/') ? answer(response, request) : refusal(404, {})(response, request);
      });
      const { state, what, cure } = finding(await examine({ provider }), 'context');
      assert.match(`${state} ${what} ${cure}`, expected);
    });
  }

  it('says nothing of a context that nobody can set', async () => {
    server.answers(serving(['m'], stream({ deltas: [{ content: '{}' }] })));
    assert.equal(
      (await examine()).findings.some(({ check }) => check === 'context'),
      false,
    );
  });

  const settings: readonly [
    name: string,
    endpoint: Partial<Endpoint>,
    surroundings: Partial<Surroundings>,
    check: string,
    expected: RegExp,
  ][] = [
    ['an address that is none', { baseUrl: 'gpt-4' }, {}, 'address', /failed.*not an address/],
    ['a login in the address', { baseUrl: `https://u:${key}@llm.example/v1` }, {}, 'address', /failed.*login/],
    ['an open line', { baseUrl: 'http://llm.example/v1' }, {}, 'address', /warning.*not encrypted/],
    [
      'a missing key',
      { provider: 'openai', baseUrl: 'https://llm.example/v1', apiKey: undefined },
      {},
      'key',
      /failed.*OpenAI.*platform/,
    ],
    [
      'localhost in a remote window',
      {},
      { remoteName: 'ssh-remote' },
      'surroundings',
      /warning.*ssh-remote.*forward its port/,
    ],
    [
      'localhost in WSL',
      {},
      { environment: { WSL_DISTRO_NAME: 'Ubuntu' } },
      'surroundings',
      /warning.*wsl.*inside of WSL/,
    ],
    [
      'a proxy that plain Node.js ignores',
      { baseUrl: 'https://llm.example/v1' },
      { environment: { HTTPS_PROXY: `http://u:${key}@proxy:8080` } },
      'proxy',
      /warning.*proxy:8080.*NODE_USE_ENV_PROXY/,
    ],
    [
      'a proxy that VS Code uses',
      { baseUrl: 'https://llm.example/v1' },
      { environment: { HTTPS_PROXY: 'http://proxy:8080' }, proxyAware: true },
      'proxy',
      /ok.*through the proxy/,
    ],
    [
      'an address exempt from the proxy',
      { baseUrl: 'https://llm.corp.example/v1' },
      { environment: { HTTPS_PROXY: 'http://proxy:8080', NO_PROXY: 'x, .corp.example' } },
      'proxy',
      /ok.*exempt/,
    ],
  ];
  for (const [name, endpoint, surroundings, check, expected] of settings) {
    it(`sees ${name}`, async () => {
      const report = await examine(endpoint, {
        surroundings: { ...plain, ...surroundings },
        through: brokenFetch('ENOTFOUND'),
      });
      const found = finding(report, check);
      assert.match(`${found.state} ${found.what} ${found.cure}`, expected);
    });
  }

  it('writes a report without secrets that can be sent to others', async () => {
    server.answers(refusal(401, { message: `Incorrect API key provided: ${key}` }));
    const environment = { HTTPS_PROXY: `http://user:${key}@proxy:8080`, OPENAI_API_KEY: key };
    const report = await examine({}, { surroundings: { ...plain, environment } });
    assert.doesNotMatch(JSON.stringify(report) + printReport(report), /planted/);
    assert.match(printReport(report), /^custom http:\/\/127\.0\.0\.1:\d+\/v1 m\n✓ address: /);
    assert.match(printReport(report), /\n✗ tiny call: .*\n {4}Set the API key again\./);
  });

  it('stops when told to', async () => {
    const reason = new Error('stop');
    server.answers(() => undefined);
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 30);
    const examined = examineEndpoint(
      {
        endpoint: { provider: 'custom', baseUrl: server.baseUrl, model: 'm', apiKey: key },
        fetch,
        clock: new ManualClock(),
        surroundings: plain,
      },
      controller.signal,
    );
    await assert.rejects(examined, (error) => error === reason);
  });
});

function serving(models: readonly string[], answer: ChatAnswer): ChatAnswer {
  const list = json(200, { object: 'list', data: models.map((id) => ({ id, object: 'model' })) });
  return (response, request) => (request.method === 'GET' ? list : answer)(response, request);
}

function finding(report: DoctorReport, check: string): DoctorReport['findings'][number] {
  const found = report.findings.find((candidate) => candidate.check === check);
  assert.ok(found, `no finding about ${check}: ${JSON.stringify(report.findings)}`);
  return found;
}
