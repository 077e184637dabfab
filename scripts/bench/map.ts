import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { generateDistricts } from '#functions/engine/region/districts.testing.ts'
import type { Db } from '#db/schema.ts'
import { kyselyOver } from './context.ts'
import { bundled, malloc } from './import-process.ts'
import { onImportDatabase, placeId, systemPool } from './import-world.ts'
import { makeReportLine, type Line } from './measure.ts'
import type { MapSample } from './map-child.ts'
import { tilesInWorker } from './map-worker.ts'
import type { Scale } from './scale.ts'

/** The largest set of boundaries that is allowed, with districts of equal size. */
const [areas, corners] = [10_000, 1_000_000]
const largest = `${areas.toLocaleString('en')} areas with ${corners.toLocaleString('en')} corners`
const maxPoints = 1_000_000
const maxMs = 60_000
const rowsAtOnce = 200
/**
 * As for imports, except that V8 collects the old generation only when it is full: the tiles of a set need
 * some 45 MB of it.
 */
const heap = ['--max-old-space-size=80', '--max-semi-space-size=4']

/**
 * Makes the tiles of the largest allowed set by the built Worker in workerd: the time from the queue message
 * on, and the peak memory of the isolate.
 */
export async function benchMapWorker({ server }: Scale): Promise<Line[]> {
  const { ms, peakMegabytes } = await tilesInWorker(server.owner, plantSet)
  const common = { area: 'map', rows: null, most: 1 }
  return [
    makeReportLine({
      ...{ ...common, work: `tiles of ${largest} by the Worker`, unit: 'ms' },
      ...{ ours: ms, peer: 'what is promised', theirs: maxMs },
    }),
    makeReportLine({
      ...{ ...common, work: 'the same: the isolate’s objects and buffers at most', unit: 'MB' },
      ...{ ours: peakMegabytes, peer: 'what an isolate may hold', theirs: 128 },
    }),
  ]
}

/**
 * Makes the tiles of the largest allowed set in a process whose heap is bounded like an isolate's: time and
 * memory. Then times finding the region of each of a million points (at most as many as there are records).
 */
export async function benchMap({ rows, server }: Scale): Promise<Line[]> {
  const points = Math.min(rows, maxPoints)
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-map-'))
  try {
    const program = await bundled('map-child', folder)
    return await onImportDatabase(server.owner, async (database) => {
      const db = kyselyOver(systemPool(database))
      await plantSet(db)
      await db.destroy()
      const child = fork(program, [database.href, join(folder, 'bucket'), String(points)], {
        execArgv: heap,
        env: { ...process.env, ...malloc },
      })
      const samples: MapSample[] = []
      child.on('message', (sample: MapSample) => samples.push(sample))
      const [status] = (await once(child, 'exit')) as [number | null]
      if (status !== 0)
        throw new Error(
          `The process ended with ${status} at ${samples.at(-1)?.stage}, ${samples.at(-1)?.held} MB.`,
        )
      return buildLines(samples, points)
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function buildLines(samples: MapSample[], points: number): Line[] {
  const of = largest
  const common = { area: 'map', rows: null, most: 1 }
  const time = { ...common, unit: 'ms' as const, peer: 'what is promised', theirs: maxMs }
  const memory = { ...common, unit: 'MB' as const, peer: 'what an isolate may hold', theirs: 128 }
  const computePeakMemory = (stage: MapSample['stage']) =>
    samples.reduce((most, each) => (each.stage === stage ? Math.max(most, each.held) : most), 0)
  const lasted = (stage: MapSample['stage']) =>
    samples.find((each) => each.stage === stage && each.ms > 0)?.ms ?? NaN
  const bytes = samples.find(({ bytes: size }) => size > 0)?.bytes ?? NaN
  const note = `an archive of ${(bytes / 1e6).toFixed(1)} MB`
  return [
    makeReportLine({ ...time, work: `tiles of ${of}`, ours: lasted('tiles'), note }),
    makeReportLine({
      ...memory,
      work: `tiles of ${of}: objects and buffers at most`,
      ours: computePeakMemory('tiles'),
    }),
    makeReportLine({
      ...{ ...time, theirs: (maxMs * points) / maxPoints },
      work: `the regions of ${points.toLocaleString('en')} points in ${of}`,
      ours: lasted('regions'),
    }),
    makeReportLine({
      ...memory,
      work: 'the same: objects and buffers at most',
      ours: computePeakMemory('regions'),
    }),
  ]
}

async function plantSet(db: Db): Promise<void> {
  await db
    .insertInto('boundarySet')
    .values({
      ...{ id: placeId, placeId, name: 'Districts', visibility: 'public', nameField: null, codeField: null },
      ...{ areaCount: areas, vertexCount: corners, findingCount: 0, fields: '[]', findings: '[]' },
      ...{ bounds: '[-10,40,10,50]', tilesDueAt: new Date(0), createdBy: null },
    })
    .execute()
  const where = { west: -10, south: 40, width: 20, height: 10 }
  let shapes: string[] = []
  let number = 0
  const write = async () => {
    await sql`
      insert into boundary_set_area (boundary_set_id, place_id, edition, number, code, name, attributes, area)
      select ${placeId}, ${placeId}, 1, n, n::text, 'District ' || n, '{}', ST_Multi(ST_GeomFromGeoJSON(shape))
      from (select ${number - shapes.length}::int + row_number() over () as n, shape
        from unnest(${shapes}::text[]) as shape) sent`.execute(db)
    shapes = []
  }
  for (const ring of generateDistricts(Math.sqrt(areas), corners / areas / 4, where)) {
    shapes.push(JSON.stringify({ type: 'Polygon', coordinates: [[...ring, ring[0]]] }))
    number += 1
    if (shapes.length === rowsAtOnce) await write()
  }
  if (shapes.length > 0) await write()
}
