import { folderBucket } from './folderBucket.ts'
import { over } from './context.ts'
import { contextOfWork, runImport, importer, plantImporter, portsTo, systemPool } from './importWorld.ts'

/**
 * A process that does nothing but import: the address of the database and of the server, a folder for its bucket, and how
 * many rows are to come. Says how many megabytes it holds, ten times a second.
 */
const [database = '', server = '', folder = '', rows = ''] = process.argv.slice(2)
const pool = systemPool(new URL(database))
const db = over(pool)
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
