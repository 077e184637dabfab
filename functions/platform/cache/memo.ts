import { dependsAs } from './depends.ts'
import { BoundedMemory } from './bounded-memory.ts'
import { notingIn } from './batch.ts'
import type { Context } from '#functions/context.ts'

/** An answer with the dependency tags it collected: they are added to every context that uses it. */
interface MemoEntry {
  answer: Promise<unknown>
  depends: Set<string>
}

/**
 * Memoised answers while a hub is rendered, all for one reader and one moment: `page` for the languages of one page and
 * its files, `hub` for all pages of one run.
 */
export interface Memo {
  page: Map<string, MemoEntry>
  hub: BoundedMemory<MemoEntry & { cost: number }>
}

/**
 * The size limit of a hub's memo, in characters of JSON. In memory that is several times as much, and an isolate has 128
 * MB in total.
 */
const maxOfHub = 8_000_000

/** The memo for one run of rendering a hub. Each run needs a new one, since the data may have changed. */
export function hubMemory(): Memo['hub'] {
  return new BoundedMemory({ cost: maxOfHub, estimateCost: ({ cost }) => cost, largest: maxOfHub / 2 })
}

/** The memo of a page and its files, with the memo of its hub. */
export const pageMemory = (hub: Memo['hub']): Memo => ({ page: new Map(), hub })

/**
 * Calls `ask` once for all visits that share a memo; without a memo, every time. `name` must contain everything that the
 * answer depends on except the reader. The answer's dependency tags are added to every visit that uses it, also after a
 * failure. Answers are shared and must not be mutated.
 */
export async function memoize<Answer>(
  ctx: Context,
  where: keyof Memo,
  name: string,
  ask: (ctx: Context) => Promise<Answer>,
): Promise<Answer> {
  const memory = ctx.memo
  if (!memory) return ask(ctx)
  let entry: MemoEntry | undefined = memory[where].get(name)
  if (!entry) {
    const depends = new Set<string>()
    entry = { answer: ask(notingIn(ctx, depends)), depends }
    if (where === 'page') memory.page.set(name, entry)
    else rememberOfHub(memory.hub, name, entry)
  }
  try {
    return (await entry.answer) as Answer
  } finally {
    dependsAs(ctx, entry.depends)
  }
}

/**
 * The promise is stored immediately, for concurrent calls, and counted by its size when it resolves. A failure is
 * dropped: the next page may succeed.
 */
function rememberOfHub(memory: Memo['hub'], name: string, entry: MemoEntry): void {
  memory.put(name, { ...entry, cost: 0 })
  entry.answer.then(
    (answer) => memory.put(name, { ...entry, cost: JSON.stringify(answer)?.length ?? 0 }),
    () => memory.drop(name),
  )
}
