import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { freshAddress } from '#db/testing.ts'
import { findFreePort } from '../local.ts'
import type { Demo } from '../seed/demo.ts'
import { processorSeconds } from '../process-facts.ts'
import { openNameServer } from './name-server.ts'
import { start } from '../start.ts'
import { costsFile } from '../test-costs.ts'

declare module 'vitest' {
  interface ProvidedContext {
    port: number
    demo: Demo
    /** The file to which every line of the start and of the Worker is appended. */
    logFile: string
    /** The address of the resolver in which the product looks up names. */
    nameServer: string
  }
}

/**
 * Starts the whole product once for all walks, in a folder and on a port of its own. Its database is on the server of
 * `TEST_POSTGRES_URL` where there is one, as in production; otherwise the embedded one.
 */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-'))
  const logFile = join(folder, 'log')
  writeFileSync(logFile, '')
  const port = await findFreePort()
  const nameServer = await openNameServer()
  const database = await freshAddress()
  const running = await start({
    port,
    databaseUrl: database?.url,
    vars: { DNS_RESOLVER: nameServer.address },
    folder: join(folder, 'data'),
    log: (line) => {
      console.log(line)
      appendFileSync(logFile, `${line}\n`)
    },
  })
  project.provide('productProcess', process.pid)
  project.provide('port', port)
  project.provide('demo', running.demo)
  project.provide('logFile', logFile)
  project.provide('nameServer', nameServer.address)
  const product = processorSeconds(process.pid) ?? 0
  const costs = process.env[costsFile]
  const file = 'scripts/walks/setup.ts'
  if (costs) appendFileSync(costs, `${JSON.stringify({ file, own: 0, started: 0, product })}\n`)
  return async () => {
    await running.close()
    await database?.close()
    nameServer.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
