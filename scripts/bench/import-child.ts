import { folderBucket } from './folder-bucket.ts'
import { kyselyOver } from './context.ts'
import { contextOfWork, runImport, importer, plantImporter, portsTo, systemPool } from './import-world.ts'

/**
 * A process that only imports. Arguments: the URLs of the database and of the server, a folder for its
 * bucket, and the expected number of rows. Reports its memory in megabytes ten times a second.
 */
const [database = '', server = '', folder = '', rows = ''] = process.argv.slice(2)
const pool = systemPool(new URL(database))
const db = kyselyOver(pool)
const ctx = contextOfWork(db, folderBucket(folder))
await plantImporter(db, importer)
const sampling = setInterval(() => {
  const { rss, heapUsed, external } = process.memoryUsage()
  process.send?.({ rss: rss / 1e6, held: (heapUsed + external) / 1e6 })
}, 100)
await runImport(ctx, portsTo(server), importer, Number(rows))
clearInterval(sampling)
await db.destroy()
process.disconnect()
