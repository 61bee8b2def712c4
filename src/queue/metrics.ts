import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { messageOf, UserError } from '../errors.js';
import type { LaneCard, WorkerCard } from './workerCard.js';

/** What a worker did, in the text form that Prometheus reads. */
export function metricsText({ startedAt, at, concurrency, lanes, refused }: WorkerCard): string {
  const ofLanes = (name: string, value: (lane: LaneCard) => number): readonly string[] =>
    lanes.map((lane) => `${name}{${labels(lane)}} ${value(lane)}`);
  const ended = lanes.flatMap((lane) =>
    (['answered', 'failed'] as const).map(
      (outcome) => `whetstone_worker_jobs_total{${labels(lane)},outcome="${outcome}"} ${lane[outcome]}`,
    ),
  );
  const refusals = Object.entries(refused).map(
    ([why, count]) => `whetstone_worker_refused_total{reason="${escaped(why)}"} ${count}`,
  );
  return [
    ...metric('whetstone_worker_up_seconds', 'gauge', 'How long the worker has been running.'),
    `whetstone_worker_up_seconds ${(at - startedAt) / 1_000}`,
    ...metric('whetstone_worker_concurrency', 'gauge', 'Jobs of each lane at a time.'),
    `whetstone_worker_concurrency ${concurrency}`,
    ...metric('whetstone_worker_active_jobs', 'gauge', 'Jobs under way.'),
    ...ofLanes('whetstone_worker_active_jobs', ({ active }) => active),
    ...metric('whetstone_worker_jobs_total', 'counter', 'Jobs that ended, by what came of them.'),
    ...ended,
    ...metric('whetstone_worker_job_seconds_total', 'counter', 'How long they took together.'),
    ...ofLanes('whetstone_worker_job_seconds_total', ({ ms }) => ms / 1_000),
    ...metric('whetstone_worker_refused_total', 'counter', 'Jobs that were refused, by reason.'),
    ...refusals,
    '',
  ].join('\n');
}

function labels({ role, environment, model, server }: LaneCard): string {
  const at = server === undefined ? '' : `,server="${escaped(server)}"`;
  return `role="${role}",environment="${environment}",model="${escaped(model)}"${at}`;
}

function metric(name: string, type: string, help: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`);
}

/**
 * Serves the text at `/metrics`: on this machine alone, unless an address is named as in `0.0.0.0:9464`. Until there is a
 * card it says so.
 */
export async function serveMetrics(where: string, card: () => WorkerCard | undefined): Promise<Server> {
  const { host, port } = readPlace(where);
  const server = createServer((request, response) => {
    const isAsked = request.method === 'GET' && (request.url ?? '').split('?')[0] === '/metrics';
    const told = isAsked ? card() : undefined;
    response.writeHead(statusOf(isAsked, told), { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(told === undefined ? notTold(isAsked) : metricsText(told));
  });
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const what = `The figures of --metrics cannot be served at ${host}:${port}: ${messageOf(error)}.`;
    throw new UserError('usage', what, 'Name another port, or end what uses this one.', { cause: error });
  }
  return server;
}

function statusOf(isAsked: boolean, told: WorkerCard | undefined): number {
  if (!isAsked) return 404;
  return told === undefined ? 503 : 200;
}

function notTold(isAsked: boolean): string {
  return isAsked ? 'The worker has not begun.\n' : 'See /metrics.\n';
}

function readPlace(where: string): { readonly host: string; readonly port: number } {
  const [, host = '127.0.0.1', port = ''] = /^(?:(.+):)?(\d+)$/.exec(where) ?? [];
  if (port !== '' && Number(port) < 65_536) return { host, port: Number(port) };
  throw new UserError('usage', `--metrics takes a port, not “${where}”.`, 'Write it as 9464, or 0.0.0.0:9464.');
}
