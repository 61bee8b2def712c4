import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to Redis that can be cut: connections drop, and nobody gets through until it is mended. */
export interface CutProxy {
  readonly url: string;
  cut(): void;
  mend(): void;
  dispose(): Promise<void>;
}

export async function aCutProxy(port: number): Promise<CutProxy> {
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    near.on('error', () => undefined);
    if (isCut) return void near.destroy();
    const far = connect(port, '127.0.0.1');
    far.on('error', () => near.destroy());
    open.add(near).add(far);
    near.on('close', () => [far.destroy(), open.delete(near)]);
    far.on('close', () => [near.destroy(), open.delete(far)]);
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const own = address !== null && typeof address === 'object' ? address.port : 0;
  const drop = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `redis://127.0.0.1:${own}`,
    cut: () => {
      isCut = true;
      drop();
    },
    mend: () => void (isCut = false),
    dispose: async () => {
      drop();
      server.close();
      await once(server, 'close');
    },
  };
}
