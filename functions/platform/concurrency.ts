/**
 * Runs `work` for all items, at most `most` at a time. After one fails no other is started; throws its error once the
 * running ones have ended.
 */
export async function forEachConcurrently<Item>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const next = items.values()
  let isFailing = false
  const worker = async () => {
    for (const item of next) {
      if (isFailing) return
      await work(item).catch((error: unknown) => {
        isFailing = true
        throw error
      })
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: most }, worker))
  for (const end of outcomes) if (end.status === 'rejected') throw end.reason
}
