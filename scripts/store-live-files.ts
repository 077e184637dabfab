import {
  getStoredBuildKey,
  getStoredFileKey,
  unknownBuild,
  type StoredBuild,
} from '#functions/platform/stored-build.ts'

/** A running product of a version that does not store its own files yet, and the bucket of its hubs. */
interface LiveProduct {
  /** Addresses of hub pages that are served now. */
  pages: string[]
  fetch: typeof fetch
  storeFile(key: string, body: Uint8Array, contentType: string): Promise<void>
  now: Date
}

const maxFiles = 500
const maxBytes = 20_000_000
const fileName = /["'`(/]([\w.]+(?:-[\w.]+)*?-[\w-]{8}\.(?:js|css|woff2))\b/g

/**
 * Stores the files that stored pages without a build id refer to: those that the running product serves,
 * found from some of its pages and from the files that each file refers to. Needed once, before the first
 * deployment of a version that stores its files itself. Returns their names.
 */
export async function storeLiveFiles({ pages, fetch: ask, storeFile, now }: LiveProduct): Promise<string[]> {
  const keptFiles = new Set<string>()
  for (const page of pages) {
    const { origin } = new URL(page)
    const answer = await ask(page, { redirect: 'follow' })
    const waiting = namesIn(await answer.text())
    const waitingFiles = new Set(waiting)
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      if (keptFiles.has(name) || keptFiles.size >= maxFiles) continue
      const file = await ask(`${origin}/${name}`, { redirect: 'error' })
      // The text only looked like the name of a file.
      if (!file.ok) continue
      const body = new Uint8Array(await file.arrayBuffer())
      if (body.byteLength > maxBytes) continue
      const type = file.headers.get('content-type') ?? 'application/octet-stream'
      await storeFile(getStoredFileKey(name), body, type)
      keptFiles.add(name)
      const more = /javascript|css/.test(type) ? namesIn(new TextDecoder().decode(body)) : []
      for (const next of more) {
        if (waitingFiles.has(next)) continue
        waitingFiles.add(next)
        waiting.push(next)
      }
    }
  }
  const marker: StoredBuild = {
    version: unknownBuild,
    files: [...keptFiles].sort(),
    hasPageFiles: true,
    isWhole: true,
    keptAt: now.toISOString(),
  }
  if (keptFiles.size > 0)
    await storeFile(
      getStoredBuildKey(unknownBuild),
      new TextEncoder().encode(JSON.stringify(marker)),
      'application/json',
    )
  return marker.files
}

const namesIn = (text: string) => [...new Set([...text.matchAll(fileName)].map(([, name]) => `hub/${name}`))]
