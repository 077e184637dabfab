import type { Context } from '#functions/context.ts'

interface Batch {
  keys: Set<string>
  results: Promise<ReadonlyMap<string, unknown>>
}

/** Batches that are still open for more keys, by request and name. */
const open = new WeakMap<Context, Map<string, Batch>>()

/** The original request of each context made by `notingIn`. */
const requests = new WeakMap<Context, Context>()

/**
 * A context of the same request that collects dependency tags in a set of its own. Its `readBatched` calls join the batches of the
 * request; each caller still gets only the tags of what it asked for itself.
 */
export function notingIn(ctx: Context, depends: Set<string>): Context {
  const own = { ...ctx, depends }
  requests.set(own, requests.get(ctx) ?? ctx)
  return own
}

/** For how many microtask turns a batch stays open: concurrent calls arrive within one or two of each other. */
const turns = 4

/**
 * Reads a value by key, in one statement for all concurrent calls: `read` gets every key that was requested under `name`
 * and returns the values by key. Everything else that the result depends on belongs in the name. Nothing is cached: a
 * later call reads again. Undefined where the key is not found. When `read` fails, all calls of the batch fail.
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
    batch = { keys, results: runLater(() => (batches.delete(name), read([...keys]))) }
    batches.set(name, batch)
  }
  batch.keys.add(key)
  return (await batch.results).get(key) as Found | undefined
}

async function runLater<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
  return work()
}

/** As `readBatched`, for rows that have an id. */
export function readRowBatched<Row extends { id: string }>(
  ctx: Context,
  name: string,
  id: string,
  read: (ids: string[]) => Promise<readonly Row[]>,
): Promise<Row | undefined> {
  return readBatched(ctx, name, id, async (ids) => new Map((await read(ids)).map((row) => [row.id, row])))
}
