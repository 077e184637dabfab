import { spawn, type ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { fileURLToPath } from 'node:url'

/**
 * Makes all children that this process starts from now on (workerd, the build) end with it, even if it is
 * killed by SIGKILL: otherwise they would hold the port and write into the folders of the next start.
 */
export function endChildrenWithUs(): void {
  const guard = spawn(process.execPath, [fileURLToPath(new URL('./children-guard.mjs', import.meta.url))], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.unref()
  guard.stdin.on('error', () => {})
  ;(guard.stdin as unknown as { unref(): void }).unref()
  subscribe('child_process', (message) => {
    const child = (message as { process: ChildProcess }).process
    let pid: number | undefined
    child.once('spawn', () => {
      pid = child.pid
      guard.stdin.write(`+${pid}\n`)
    })
    child.once('exit', () => {
      if (pid !== undefined) guard.stdin.write(`-${pid}\n`)
    })
  })
}

/**
 * Runs `shutDown` when the command that started this process is gone, however it ended: nothing else could stop
 * this process any more.
 */
export function exitWithParent(shutDown: () => void): void {
  if (!process.channel) return
  process.once('disconnect', shutDown)
  // The channel must not keep the process alive.
  process.channel.unref()
}
