import { connect } from '#db/connect.ts'
import { toIdentity } from '#functions/domain/access/identity.ts'
import { system } from '#functions/context.ts'
import { recover } from '#functions/domain/internals/recovery.ts'
import { endAllSessions } from '#functions/domain/identity/sessions.ts'
import { dataFolder, openDatabase, CommandError } from './local.ts'
import { contextOn } from './script-context.ts'

// Prepares a database restored to an earlier point in time to be served: `DATABASE_URL=… npm run
// after-restore`, before the Worker is given its address. With several databases, run it for the restored
// one. See "Backups" in the README.
try {
  if (!process.env.DATABASE_URL)
    throw new CommandError('Name the database that was brought back: DATABASE_URL=…')
  const database = await openDatabase(process.env.DATA_FOLDER ?? dataFolder)
  const { end, ...connection } = connect(database.env, toIdentity(system))
  const none = {} as R2Bucket
  const ctx = contextOn('localhost', { ...connection, files: none, tiles: none, hubs: none })
  const recovery = await recover(ctx)
  const sessions = await endAllSessions(ctx)
  await end()
  await database.close()
  for (const [table, rows] of Object.entries(recovery))
    console.log(`${table}: numbers of ${rows} rows raised`)
  console.log(`${sessions} sessions ended: everyone signs in again`)
  console.log(
    [
      '',
      'Once the Worker has this database it asks the storage what was withdrawn since, keeps that withdrawn (a line each in the log',
      'of the place) and makes every hub again.',
      '',
      'What no one can know: passwords, second factors, roles and keys are as they were at that moment. Keys that were revoked',
      'since work again, and roles that were taken are there again: look through them. Emails that waited then are sent again.',
    ].join('\n'),
  )
  process.exit(0)
} catch (error) {
  console.error(error instanceof CommandError ? error.message : error)
  process.exit(1)
}
