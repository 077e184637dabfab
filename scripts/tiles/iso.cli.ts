import { writeFileSync } from 'node:fs'
import { compareWithIso, isoFile } from './iso.ts'
import { countrySets } from './regions.ts'

/**
 * Writes `iso-differences.json`: how the first-level regions of each country differ from ISO 3166-2. Run it
 * again after a change of the regions or an update of the package iso-3166.
 */
const { source, sets } = compareWithIso(countrySets())
const lines = Object.entries(sets).map(
  ([id, differences]) => `${JSON.stringify(id)}:${JSON.stringify(differences)}`,
)
writeFileSync(isoFile(), `{"source":${JSON.stringify(source)},"sets":{\n${lines.join(',\n')}\n}}\n`)
console.log(`${lines.length} sets differ from ${source}`)
