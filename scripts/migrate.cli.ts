import { connect } from '#db/connect.ts'
import { seedRoles } from '#functions/access/seed.ts'
import { openDatabase, Stop } from './local.ts'

// Brings the database that DATABASE_URL names (as its owner) to the newest schema, and its roles to the newest operations.
try {
  if (!process.env.DATABASE_URL)
    throw new Stop('Name the database as its owner: DATABASE_URL=postgres://… npm run migrate')
  const database = await openDatabase(null)
  const connection = connect(database.env, { user: '', places: [], global: 'system' })
  await connection.transaction((tx) => seedRoles(tx))
  await connection.end()
  await database.close()
  console.log('The database has the newest schema, its roles the newest operations.')
  process.exit(0)
} catch (error) {
  console.error(error instanceof Stop ? error.message : error)
  process.exit(1)
}
