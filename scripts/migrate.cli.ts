import { join, relative } from 'node:path'
import { connectAsOwner, type Connection } from '#db/connect.ts'
import { withHomeDatabase, databases } from '#db/directory.ts'
import { seedRoles } from '#functions/domain/access/seed.ts'
import { findOversizedTables, partition, partitionRows } from '#functions/domain/dataset/partitions.ts'
import { dataFolder, CommandError } from './local.ts'
import { isOnThisMachine, parseAddress } from './own-postgres/owner.ts'
import { prepareServer, reach } from './own-postgres/open.ts'

// Migrates the database of DATABASE_URL (by its owner's address) to the newest schema, updates its roles to
// the newest operations, and creates the role that the product runs as. `npm run migrate -- new-password`
// gives that role a new password; `-- partition` then partitions tables that have grown large
// (PARTITION_ROWS).
const asSystem = { user: '', places: [], global: 'system' } as const
const folder = process.env.DATA_FOLDER ?? dataFolder
const work = process.argv[2]
try {
  const { DATABASE_URL } = process.env
  if (!DATABASE_URL)
    throw new CommandError(
      'Name the database by its owner: DATABASE_URL=postgres://owner:password@host:5432/database npm run migrate',
    )
  if (work !== undefined && work !== 'partition' && work !== 'new-password')
    throw new CommandError(`There is no "${work}": npm run migrate takes partition or new-password.`)
  const env = { ...process.env, DATABASE_URL }
  // Databases besides home, by their owners' addresses; first, because home may use them as soon as it is
  // migrated.
  for (const name of databases(env).slice(1)) {
    await migrateDatabase(withHomeDatabase(env, name).DATABASE_URL, `The database "${name}"`)
  }
  await migrateDatabase(DATABASE_URL, 'The database', work === 'partition' ? partitionLarge : undefined)
  process.exit(0)
} catch (error) {
  console.error(error instanceof CommandError ? error.message : error)
  process.exit(1)
}

/** Migrates one database by its owner's address, and prints how the product connects to it. */
async function migrateDatabase(address: string, title: string, then?: (owner: Connection) => Promise<void>) {
  const url = parseAddress(address)
  const isHere = isOnThisMachine(url)
  const result = await prepareServer(url, {
    folder: isHere ? folder : null,
    newPassword: work === 'new-password',
  })
  const { env, close } = await reach(url)
  const owner = connectAsOwner(env, { ...asSystem, places: [] })
  await owner.transaction((tx) => seedRoles(tx))
  console.log(`${title} has the newest schema, its roles the newest operations.`)
  await then?.(owner)
  await owner.end()
  await close()
  if (result.isNew && result.address)
    console.log(
      `The product runs as the role "${result.role}", which was made${work === 'new-password' ? ' a new password' : ''} just now. Its address${isHere ? '' : ', which is said only this once'}:\n\n  ${result.address.href}\n`,
    )
  else
    console.log(
      `The product runs as the role "${result.role}", which keeps its password (another one: npm run migrate -- new-password).`,
    )
  if (isHere && result.address)
    console.log(
      `It is stored in ${relative(process.cwd(), join(folder, 'app-databases.json'))}: "npm start" with this DATABASE_URL uses it.`,
    )
}

/** Tables are locked while they are copied: run it when nobody works with them. */
async function partitionLarge(connection: Connection) {
  const rows = Number(process.env.PARTITION_ROWS ?? partitionRows)
  if (!Number.isSafeInteger(rows) || rows < 0)
    throw new CommandError('PARTITION_ROWS must be a whole number.')
  const large = await findOversizedTables(connection, rows)
  if (large.length === 0) console.log(`No table that is one has more than ${rows} records.`)
  for (const { id, records } of large) {
    const startMs = performance.now()
    await partition(connection, id)
    console.log(
      `${id}: ${records} records in partitions after ${Math.round((performance.now() - startMs) / 1000)} s.`,
    )
  }
}
