import { connect, type Connection } from '#db/connect.ts'
import { at, databases } from '#db/directory.ts'
import { seedRoles } from '#functions/access/seed.ts'
import { overgrown, partition, partitionRows } from '#functions/domain/partitions.ts'
import { openDatabase, Stop } from './local.ts'

// Brings the database that DATABASE_URL names (as its owner) to the newest schema, and its roles to the newest
// operations. `npm run migrate -- partition` then cuts up the tables that have grown large (PARTITION_ROWS).
try {
  if (!process.env.DATABASE_URL)
    throw new Stop('Name the database as its owner: DATABASE_URL=postgres://… npm run migrate')
  // Databases beside this one, by their owners' addresses; first, since home may ask for places in them at once.
  for (const name of databases({ ...process.env, DATABASE_URL: process.env.DATABASE_URL }).slice(1)) {
    const { DATABASE_URL } = at({ ...process.env, DATABASE_URL: process.env.DATABASE_URL }, name)
    const there = await openDatabase(null, DATABASE_URL)
    const owner = connect({ ...there.env, DATABASE_URL }, { user: '', places: [], global: 'system' })
    await owner.transaction((tx) => seedRoles(tx))
    await owner.end()
    await there.close()
    console.log(`The database "${name}" has the newest schema.`)
  }
  const database = await openDatabase(null)
  const connection = connect(database.env, { user: '', places: [], global: 'system' })
  await connection.transaction((tx) => seedRoles(tx))
  console.log('The database has the newest schema, its roles the newest operations.')
  if (process.argv[2] === 'partition') await partitionLarge(connection)
  await connection.end()
  await database.close()
  process.exit(0)
} catch (error) {
  console.error(error instanceof Stop ? error.message : error)
  process.exit(1)
}

/** Tables are held while they are copied: to be run when nobody minds. */
async function partitionLarge(connection: Connection) {
  const rows = Number(process.env.PARTITION_ROWS ?? partitionRows)
  if (!Number.isSafeInteger(rows) || rows < 0) throw new Stop('PARTITION_ROWS must be a whole number.')
  const large = await overgrown(connection, rows)
  if (large.length === 0) console.log(`No table that is one has more than ${rows} records.`)
  for (const { id, records } of large) {
    const began = performance.now()
    await partition(connection, id)
    console.log(
      `${id}: ${records} records in partitions after ${Math.round((performance.now() - began) / 1000)} s.`,
    )
  }
}
