import { parseArgs } from 'node:util'
import { connect, type Connection } from '#db/connect.ts'
import { withHomeDatabase, databases } from '#db/directory.ts'
import { toIdentity } from '#functions/domain/access/identity.ts'
import { system } from '#functions/context.ts'
import { parseAuthSecrets } from '#functions/settings.ts'
import { dataFolder, openDatabase, CommandError } from './local.ts'
import { openServer } from './own-postgres/open.ts'
import { rotateSecret, type Place } from './rotate-secret.ts'

// Re-encrypts with AUTH_SECRET what is encrypted with AUTH_SECRET_PREVIOUS, in the database of DATABASE_URL
// (else the local one) and in those of DATABASES: `npm run rotate-secret`. `-- --check` changes nothing, and
// exits with 1 while AUTH_SECRET_PREVIOUS is still needed.
const closing: (() => Promise<void>)[] = []
try {
  const { values } = parseArgs({
    options: { check: { type: 'boolean' }, 'except-unreadable': { type: 'boolean' } },
  })
  const isCheck = values.check ?? false
  const secrets = secretsIn(process.env)
  if (!isCheck && secrets.previousAuthSecret === undefined)
    throw new CommandError(
      'Set AUTH_SECRET_PREVIOUS to the secret that is to be replaced, and AUTH_SECRET to the new one.',
    )
  const places: Place[] = []
  const { DATABASE_URL = '', DATABASES = '' } = process.env
  const env = { DATABASE_URL, DATABASES }
  for (const name of databases(env)) places.push({ name, db: (await open(name, env)).db })
  const options = { isCheck, exceptUnreadable: values['except-unreadable'] ?? false }
  process.exitCode = (await rotateSecret(places, secrets, options, (line) => console.log(line))) ? 0 : 1
} catch (error) {
  console.error(error instanceof CommandError ? error.message : error)
  process.exitCode = 1
}
for (const close of closing.reverse()) await close()
process.exit()

function secretsIn(env: object) {
  try {
    return parseAuthSecrets(env)
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error))
  }
}

async function open(
  name: string | null,
  env: { DATABASE_URL: string; DATABASES?: string },
): Promise<Connection> {
  const folder = process.env.DATA_FOLDER ?? dataFolder
  const database = await (name === null
    ? openDatabase(folder)
    : openServer(withHomeDatabase(env, name).DATABASE_URL, folder))
  closing.push(() => database.close())
  const connection = connect(database.env, { ...toIdentity(system), closed: true })
  closing.push(() => connection.end())
  return connection
}
