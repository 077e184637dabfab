import type { openWorker } from '../local.ts'

type Worker = Awaited<ReturnType<typeof openWorker>>['worker']

/** Has the Worker handle a message of its queue to the end. Gives the milliseconds; throws when it did not succeed. */
export async function handled(worker: Worker, body: object): Promise<number> {
  const began = performance.now()
  const { outcome } = await worker.queue('events', [{ id: 'a', timestamp: new Date(), attempts: 1, body }])
  if (outcome !== 'ok') throw new Error(`${JSON.stringify(body)} was not handled: ${outcome}.`)
  return performance.now() - began
}
