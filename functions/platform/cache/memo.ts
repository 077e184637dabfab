import { dependsAs } from './depends.ts'
import { BoundedMemory } from './bounded-memory.ts'
import { notingIn } from './batch.ts'
import type { Context } from '#functions/context.ts'

/** An answer and what it was made of, which is noted wherever it is used. */
interface MemoEntry {
  answer: Promise<unknown>
  depends: Set<string>
}

/**
 * What was asked already by visits of one reader that are made of one moment: the languages of a page and what belongs to it
 * (`page`), and all that is made of a hub in one go (`hub`).
 */
export interface Memo {
  page: Map<string, MemoEntry>
  hub: BoundedMemory<MemoEntry & { cost: number }>
}

/** So much is remembered of a hub, in characters of JSON: some times that in memory, and an isolate has 128 MB for all. */
const mostOfHub = 8_000_000

/** A memory for all that is made of a hub in one go. Made anew for each: what was asked for one is old for the next. */
export function hubMemory(): Memo['hub'] {
  return new BoundedMemory({ cost: mostOfHub, costOf: ({ cost }) => cost, largest: mostOfHub / 2 })
}

/** Memories for a page and what belongs to it, within those of its hub. */
export const pageMemory = (hub: Memo['hub']): Memo => ({ page: new Map(), hub })

/**
 * Asks once for all visits that share a memory; without one it asks. `name` says all that the answer depends on but the
 * reader. What the answer is made of is noted for every visit that uses it, also where it is a failure. Answers are
 * shared: nobody may change them.
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

/** Kept at once, for those who ask meanwhile, and by its size when it is there. A failure may be gone for the next page. */
function rememberOfHub(memory: Memo['hub'], name: string, entry: MemoEntry): void {
  memory.put(name, { ...entry, cost: 0 })
  entry.answer.then(
    (answer) => memory.put(name, { ...entry, cost: JSON.stringify(answer)?.length ?? 0 }),
    () => memory.drop(name),
  )
}
