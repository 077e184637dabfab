/** How much one go looks through: so many lists of at most so many names. */
export interface Lists {
  most: number
  limit?: number
}

/**
 * Removes from a bucket what is not worth keeping below a prefix. `isKept` is asked of each object in the order of names, so
 * those of a place come one after the other. One go ends after `most` lists and the next begins where it ended: what is
 * kept never stands before what is not. Gives how many were removed.
 */
export async function sweepBelow(
  bucket: R2Bucket,
  prefix: string,
  isKept: (object: R2Object) => boolean | Promise<boolean>,
  { most, limit = 1000 }: Lists,
): Promise<number> {
  const markKey = `swept/${prefix}`
  let startAfter = (await (await bucket.get(markKey))?.text()) ?? ''
  let removed = 0
  for (let i = 0; i < most; i += 1) {
    const from = startAfter ? { startAfter } : {}
    const list = await bucket.list({ prefix, limit, include: ['customMetadata'], ...from })
    const deleted: string[] = []
    for (const object of list.objects) {
      startAfter = object.key
      if (!(await isKept(object))) deleted.push(object.key)
    }
    if (deleted.length > 0) await bucket.delete(deleted)
    removed += deleted.length
    if (list.truncated) continue
    await bucket.delete(markKey)
    return removed
  }
  await bucket.put(markKey, startAfter)
  return removed
}
