import type { FeatureCollection } from 'geojson'

/**
 * Gives a function from what a data set calls a region to its `gid`, null when no or more than one region is called
 * so. A region is known by its gid, its code ('06'; the number 6 too, spreadsheets drop the zero) and its name, in any
 * case; where names repeat (there are 30 Washington Counties) `name, name of the parent` works with `parents`.
 */
export function regionFinder(
  shapes: FeatureCollection,
  parents?: FeatureCollection,
): (called: unknown) => string | null {
  const parentNames = new Map(
    (parents?.features ?? []).map(({ properties }) => [properties?.['gid'], properties?.['name']]),
  )
  const found = new Map<string, string | null>()
  let codeLength = 0
  const add = (key: string, gid: string) => {
    const other = found.get(key)
    found.set(key, other === undefined || other === gid ? gid : null)
  }
  for (const { properties } of shapes.features) {
    const gid: unknown = properties?.['gid']
    if (typeof gid !== 'string') continue
    add(key(gid), gid)
    const [code, name, parent] = [
      properties?.['code'],
      properties?.['name'],
      parentNames.get(properties?.['parent']),
    ]
    if (typeof code === 'string') {
      codeLength = Math.max(codeLength, /^\d+$/.test(code) ? code.length : 0)
      add(key(code), gid)
    }
    if (typeof name === 'string') {
      add(key(name), gid)
      if (typeof parent === 'string') add(key(`${name}, ${parent}`), gid)
    }
  }
  return (called) => {
    if (typeof called !== 'string' && typeof called !== 'number') return null
    const text = key(String(called))
    return found.get(text) ?? (/^\d+$/.test(text) ? found.get(text.padStart(codeLength, '0')) : null) ?? null
  }
}

function key(text: string): string {
  return text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()
}
