import type { Context } from '#functions/context.ts'

interface Batch {
  keys: Set<string>
  found: Promise<ReadonlyMap<string, unknown>>
}

/** Those that still take keys, by request and name. */
const open = new WeakMap<Context, Map<string, Batch>>()

/** The requests that contexts made by `notingIn` are of. */
const requests = new WeakMap<Context, Context>()

/**
 * The same request, which notes what its answers are made of in a set of its own. What it asks for by `readBatched` is read
 * together with what the request asks for: whoever asks notes what of it is his.
 */
export function notingIn(ctx: Context, depends: Set<string>): Context {
  const own = { ...ctx, depends }
  requests.set(own, requests.get(ctx) ?? ctx)
  return own
}

/** So many turns the first key waits for the others: what is asked side by side comes within one or two of each other. */
const turns = 4

/**
 * What a request reads by key, in one statement for all that is asked for side by side: `read` is given every key that was
 * asked for under `name` in the same moment, and gives what it found by key. Whatever else it reads by belongs into the
 * name. Nothing is kept: what is asked for later is read again. Undefined: not found. Fails for all as `read` fails.
 */
export async function readBatched<Found>(
  ctx: Context,
  name: string,
  key: string,
  read: (keys: string[]) => Promise<ReadonlyMap<string, Found>>,
): Promise<Found | undefined> {
  const request = requests.get(ctx) ?? ctx
  const batches = open.get(request) ?? new Map<string, Batch>()
  open.set(request, batches)
  let batch = batches.get(name)
  if (!batch) {
    const keys = new Set<string>()
    batch = { keys, found: later(() => (batches.delete(name), read([...keys]))) }
    batches.set(name, batch)
  }
  batch.keys.add(key)
  return (await batch.found).get(key) as Found | undefined
}

async function later<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
  return work()
}

/** As `readBatched`, of rows that are known by their id. */
export function readRowBatched<Row extends { id: string }>(
  ctx: Context,
  name: string,
  id: string,
  read: (ids: string[]) => Promise<readonly Row[]>,
): Promise<Row | undefined> {
  return readBatched(ctx, name, id, async (ids) => new Map((await read(ids)).map((row) => [row.id, row])))
}
