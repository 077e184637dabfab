/** The most that one run looks through: this many lists of this many names. */
export interface Lists {
  most: number
  limit?: number
}

/**
 * Deletes the objects below a prefix that `isKept` does not want. It is called in the order of names, so objects of one place come
 * one after the other. A run stops after `most` lists and the next one continues there, by a marker stored in the bucket, so objects
 * that stay never hold up the rest. Gives how many were deleted.
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
