import { parseArgs } from 'node:util'
import { benchAdHoc } from './bench/ad-hoc.ts'
import { filled, type Filled } from './bench/database.ts'
import { benchExportWorker } from './bench/export-worker.ts'
import { benchExport } from './bench/export.ts'
import { benchImport } from './bench/import.ts'
import { benchImportMemory } from './bench/importMemory.ts'
import { isKept, type Line } from './bench/measure.ts'
import { benchPage } from './bench/page.ts'
import { reportOf, write } from './bench/report.ts'
import { benchSaved } from './bench/saved.ts'
import { benchSearch } from './bench/search.ts'
import { openServer } from './bench/server.ts'
import { benchTiles } from './bench/tiles.ts'
import { benchWarm } from './bench/warm.ts'
import { build } from './build.ts'
import { Stop } from './local.ts'

/**
 * Measures the question engine on a real Postgres, which it finds or starts:
 * `npm run bench -- --rows 1000000,10000000 --areas saved,page`. Every goal is a ratio to a peer or a limit in the same
 * run. Writes `.cache/bench/bench.json` and `bench.md`; ends with a status of 1 when a goal is missed.
 */
const areas: Record<string, (filled: Filled) => Promise<Line[]>> = {
  saved: benchSaved,
  adhoc: benchAdHoc,
  page: benchPage,
  search: benchSearch,
  warm: async () => {
    await build(console.log)
    return benchWarm()
  },
  tiles: benchTiles,
  export: benchExport,
  import: benchImport,
  'import-memory': benchImportMemory,
  worker: async (filled) => {
    await build(console.log)
    return benchExportWorker(filled)
  },
}
/** Areas that do not grow with the records: measured once. */
const once = new Set(['search', 'warm', 'import-memory'])

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    areas: { type: 'string', default: Object.keys(areas).join(',') },
    out: { type: 'string', default: '.cache/bench' },
  },
})

try {
  const sizes = values.rows.split(',').map(Number)
  const asked = values.areas.split(',')
  const unknown = asked.find((area) => !Object.hasOwn(areas, area))
  if (unknown !== undefined)
    throw new Stop(`There is no area “${unknown}”; there are ${Object.keys(areas).join(', ')}.`)
  if (sizes.some((size) => !Number.isInteger(size) || size < 1))
    throw new Stop('--rows takes whole numbers, separated by commas.')
  const server = await openServer(console.log)
  console.log(`Postgres ${server.version}`)
  const lines: Line[] = []
  const failed: string[] = []
  try {
    for (const rows of sizes) {
      console.log(`${rows.toLocaleString('en')} records`)
      const database = await filled(server, rows, console.log)
      for (const area of asked) {
        if (once.has(area) && rows !== sizes[0]) continue
        console.log(`  measuring ${area}`)
        try {
          lines.push(...((await areas[area]?.(database)) ?? []))
        } catch (error) {
          console.error(`  ${area} failed:`, error)
          failed.push(`${area} with ${rows.toLocaleString('en')} records`)
        }
      }
    }
  } finally {
    server.close()
  }
  console.log(`\n${write(reportOf(lines, server.version), values.out)}`)
  const missed = lines.filter((each) => isKept(each) === false)
  console.log(`${lines.length} lines, ${missed.length} goals missed`)
  if (failed.length > 0) console.log(`Not measured: ${failed.join(', ')}`)
  process.exit(missed.length === 0 && failed.length === 0 ? 0 : 1)
} catch (error) {
  console.error(error instanceof Stop ? error.message : error)
  process.exit(1)
}
