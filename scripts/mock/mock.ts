import { startFront } from './front.ts';
import { type Prism, type PrismOptions, startPrism } from './prism.ts';

/** Starts Prism as a mock on a free port, and on `port` a server in front of it that chooses the examples. */
export async function startMock({ port, ...options }: Omit<PrismOptions, 'upstream'>): Promise<Prism> {
  const prism = await startPrism({ ...options, port: 0 });
  try {
    const front = await startFront({ document: options.document, port, prismUrl: prism.url });
    return {
      url: front.url,
      process: prism.process,
      async [Symbol.asyncDispose]() {
        await front[Symbol.asyncDispose]();
        await prism[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await prism[Symbol.asyncDispose]();
    throw error;
  }
}
