import { openDatabase, Stop } from './local.ts'

// Brings the database that DATABASE_URL names (as its owner) to the newest schema.
try {
  if (!process.env.DATABASE_URL)
    throw new Stop('Name the database as its owner: DATABASE_URL=postgres://… npm run migrate')
  await (await openDatabase(null)).close()
  console.log('The database has the newest schema.')
  process.exit(0)
} catch (error) {
  console.error(error instanceof Stop ? error.message : error)
  process.exit(1)
}
