/** Limits of one run: the number of lists and of names per list. */
export interface Lists {
  most: number
  limit?: number
}

/**
 * Deletes the objects under a prefix for which `isKept` returns false. It is called in the order of names, so that
 * objects of one place are consecutive. A run stops after `most` lists and the next one continues there, by a marker
 * stored in the bucket, so that kept objects never block the others. Returns the number of deleted objects.
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
