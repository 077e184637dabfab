import { parseArgs } from 'node:util'
import { benchAdHoc } from './bench/ad-hoc.ts'
import { areasNamed, groupNames } from './bench/area-names.ts'
import { benchBrowser } from './bench/browser.ts'
import { fillDatabase, type BenchDatabase } from './bench/database.ts'
import { benchExportWorker } from './bench/export-worker.ts'
import { benchExport } from './bench/export.ts'
import { benchHosts } from './bench/hosts.ts'
import { benchHub } from './bench/hub.ts'
import { benchImport } from './bench/import.ts'
import { benchImportMemory } from './bench/import-memory.ts'
import { benchMapFrame } from './bench/map-frame.ts'
import { benchMap, benchMapWorker } from './bench/map.ts'
import { isKept, type Line } from './bench/measure.ts'
import { benchPage } from './bench/page.ts'
import { benchPan } from './bench/pan.ts'
import { benchPrerender } from './bench/prerender.ts'
import { benchProfile } from './bench/profile.ts'
import { buildReport, write } from './bench/report.ts'
import { benchSaved } from './bench/saved.ts'
import type { Scale } from './bench/scale.ts'
import { benchSearch } from './bench/search.ts'
import { openServer } from './bench/server.ts'
import { benchTable } from './bench/table.ts'
import { benchTiles } from './bench/tiles.ts'
import { benchWarm } from './bench/warm.ts'
import { build } from './build.ts'
import { CommandError } from './local.ts'

/**
 * Measures the question engine and the public hub on a real Postgres, which it finds or starts: `npm run
 * bench -- --rows 1000000,10000000 --areas saved,page`. Every goal is a ratio to a peer or a limit within the
 * same run. Writes `.cache/bench/bench.json` and `bench.md`; exits with status 1 when a goal is missed.
 */
const areas: Record<string, (on: BenchDatabase) => Promise<Line[]>> = {
  saved: benchSaved,
  adhoc: benchAdHoc,
  page: benchPage,
  search: benchSearch,
  table: benchTable,
  tiles: benchTiles,
  pan: withFreshBuild(benchPan),
  export: benchExport,
  import: benchImport,
  worker: withFreshBuild((on) => benchExportWorker(on)),
}
/**
 * Areas that need no database of records. The number of records sets their scale: their goals are stated for
 * a million.
 */
const apart: Record<string, (scale: Scale) => Promise<Line[]>> = {
  'import-memory': withFreshBuild(benchImportMemory),
  profile: benchProfile,
  'map-alone': async (scale) => [...(await benchMapFrame()), ...(await benchMap(scale))],
  'map-worker': withFreshBuild(benchMapWorker),
  hosts: benchHosts,
  warm: withFreshBuild(benchWarm),
  hub: withFreshBuild(benchHub),
  prerender: withFreshBuild(benchPrerender),
  browser: benchBrowser,
}
/** Areas that do not grow with the number of records: measured once. */
const once = new Set(['hosts', 'search', 'warm'])
/** Areas that are measured once, at the largest size: they take long. */
const last = new Set(['import-memory', 'map-alone', 'map-worker', 'hub', 'prerender', 'browser'])
const names = [...Object.keys(areas), ...Object.keys(apart)]

/** Builds the Worker from the current sources before it runs an area. */
function withFreshBuild<T>(run: (on: T) => Promise<Line[]>) {
  return async (on: T) => {
    await build(console.log)
    return run(on)
  }
}

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    areas: { type: 'string', default: names.join(',') },
    out: { type: 'string', default: '.cache/bench' },
  },
})

try {
  const sizes = values.rows.split(',').map(Number)
  const areaNames = areasNamed(values.areas.split(','))
  const unknown = areaNames.find((area) => !names.includes(area))
  if (unknown !== undefined)
    throw new CommandError(
      `There is no area “${unknown}”; there are ${[...names, ...groupNames].join(', ')}.`,
    )
  if (sizes.some((size) => !Number.isInteger(size) || size < 1))
    throw new CommandError('--rows takes whole numbers, separated by commas.')
  const server = await openServer(console.log)
  console.log(`Postgres ${server.version}`)
  const lines: Line[] = []
  const failures: string[] = []
  try {
    for (const rows of sizes) {
      console.log(`${rows.toLocaleString('en')} records`)
      const needsRecords = areaNames.some((area) => Object.hasOwn(areas, area))
      const database = needsRecords ? await fillDatabase(server, rows, console.log) : null
      for (const area of areaNames) {
        if (once.has(area) && rows !== sizes[0]) continue
        if (last.has(area) && rows !== Math.max(...sizes)) continue
        console.log(`  measuring ${area}`)
        try {
          const figures = database && (await areas[area]?.(database))
          lines.push(...(figures ?? (await apart[area]?.({ rows, server })) ?? []))
        } catch (error) {
          console.error(`  ${area} failed:`, error)
          failures.push(`${area} with ${rows.toLocaleString('en')} records`)
        }
      }
    }
  } finally {
    await server.close()
  }
  console.log(`\n${write(buildReport(lines, server.version), values.out)}`)
  const missedBounds = lines.filter((each) => isKept(each) === false)
  console.log(`${lines.length} lines, ${missedBounds.length} goals missed`)
  if (failures.length > 0) console.log(`Not measured: ${failures.join(', ')}`)
  process.exit(missedBounds.length === 0 && failures.length === 0 ? 0 : 1)
} catch (error) {
  console.error(error instanceof CommandError ? error.message : error)
  process.exit(1)
}
