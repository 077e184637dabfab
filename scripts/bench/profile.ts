import { createServer } from 'node:http'
import { memoryBucket } from '#db/worlds/ports.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { profileSource } from '#functions/domain/records/profile/profile-sources.ts'
import { kyselyOver } from './context.ts'
import { csvChunks } from './import-corpus.ts'
import {
  contextOfWork,
  runImport,
  onImportDatabase,
  plantImporter,
  portsTo,
  systemPool,
} from './import-world.ts'
import { listening } from './in-node.ts'
import { makeReportLine, measureMilliseconds, median, type Line } from './measure.ts'
import type { Scale } from './scale.ts'

const maxRows = 1_000_000
const addedRows = 1000

/**
 * Profiles ten fields of so many records (a million at most) after an import, against that import; and after
 * a thousand more records, of which only these are profiled, against the profile of all of them.
 */
export async function benchProfile({ rows: rowCount, server: { owner } }: Scale): Promise<Line[]> {
  const rows = Math.min(rowCount, maxRows)
  return onImportDatabase(owner, async (url) => {
    const db = kyselyOver(systemPool(url))
    const file = Buffer.concat([...csvChunks(rows)])
    const server = await listening(
      createServer((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/csv', 'content-length': file.length })
        response.end(file)
      }),
    )
    const ctx = contextOfWork(db, memoryBucket())
    const times: Record<'brought' | 'whole' | 'added', number[]> = { brought: [], whole: [], added: [] }
    try {
      for (let round = 0; round < (rows > 300_000 ? 2 : 3); round++) {
        const id = `profiled-${round}`
        await plantImporter(db, id)
        times.brought.push(await measureMilliseconds(() => runImport(ctx, portsTo(server.url), id, rows)))
        times.whole.push(await measureMilliseconds(() => awaitOutcome(profileSource(ctx, id))))
        const more = Array.from({ length: addedRows }, (_none, n) => ({
          ...{ id: `more-${n}`, origin: `A${n % 120}`, delay: n % 240, distance: n },
          at: new Date(Date.UTC(2002, 0, 1) + n * 60_000).toISOString(),
        }))
        await ingest(ctx, id, more)
        times.added.push(await measureMilliseconds(() => awaitOutcome(profileSource(ctx, id))))
      }
    } finally {
      await server.close()
      await db.destroy()
    }
    const common = { area: 'profile', rows, unit: 'ms' as const }
    const wholeMs = median(times.whole)
    return [
      makeReportLine({
        ...{ ...common, work: 'profile of ten fields, of all records' },
        ...{ ours: wholeMs, peer: 'their import', theirs: median(times.brought), most: 0.1 },
      }),
      makeReportLine({
        ...{ ...common, work: `the same after ${addedRows} more records` },
        ...{ ours: median(times.added), peer: 'of all records', theirs: wholeMs },
      }),
    ]
  })
}

async function awaitOutcome(outcome: Promise<string>): Promise<void> {
  if ((await outcome) !== 'made') throw new Error(`The profile was not made: ${await outcome}`)
}
