import { parseArgs } from 'node:util'
import { connect } from '#db/connect.ts'
import { toIdentity } from '#functions/domain/access/identity.ts'
import { system } from '#functions/context.ts'
import { sendMail } from '#functions/domain/email/email-outbox.ts'
import { recover } from '#functions/domain/identity/factors.ts'
import { dataFolder, openDatabase, CommandError } from './local.ts'
import { contextOn } from './script-context.ts'

// Removes all second factors of a person who has lost them, including passkeys, and signs them out
// everywhere: `npm run recover-factor -- --email ada@example.org`. Verify first who asks. Uses the database
// of DATABASE_URL, else the local one; APP_HOST and SCHEME are those of the workspace, for the link in the
// email to the person.
try {
  const { values } = parseArgs({ options: { email: { type: 'string' } } })
  const { email } = values
  if (!email)
    throw new CommandError('Say whose factor was lost: npm run recover-factor -- --email ada@example.org')
  const { APP_HOST: host = 'localhost:8787', SCHEME: scheme = 'http' } = process.env
  const database = await openDatabase(process.env.DATA_FOLDER ?? dataFolder)
  const { end, ...connection } = connect(database.env, toIdentity(system))
  const none = {} as R2Bucket
  const ctx = contextOn(host, { ...connection, files: none, tiles: none, hubs: none })
  const isDone = await recover(
    { ...ctx, sendMail: (mail) => sendMail(ctx, {}, mail), settings: { ...ctx.settings, scheme } },
    email,
  )
  await end()
  await database.close()
  if (!isDone) throw new CommandError(`Nobody has the address ${email}.`)
  console.log(`Every second factor of ${email} is removed, and every session has ended.`)
  process.exit(0)
} catch (error) {
  console.error(error instanceof CommandError ? error.message : error)
  process.exit(1)
}
