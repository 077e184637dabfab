import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A running process, described for a person. */
interface ProcessInfo {
  pid: number
  /** Its command line, shortened. */
  command: string
}

/**
 * Returns the start time of a process as text, which identifies it even when its pid is reused; '' where it
 * is unknown (another user's process, Windows); null: there is no such process.
 */
export function readStartTime(pid: number): string | null {
  try {
    if (process.platform === 'linux') {
      // After the name, which is in brackets and may contain anything: field 22 is the start time.
      const rest = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? ''
      const [state, ...fields] = rest.split(' ')
      // A zombie: it has ended and holds nothing.
      return state === 'Z' ? null : (fields[18] ?? null)
    }
    process.kill(pid, 0)
    if (process.platform === 'win32') return ''
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch (error) {
    // The process exists, but belongs to another user.
    return (error as { code?: string }).code === 'EPERM' ? '' : null
  }
}

/** Clock ticks per second (`USER_HZ`), 100 on every Linux whatever the kernel's own rate. */
const ticks = 100

/**
 * Returns the processor time, in seconds, of the children of a process that it has waited for, including
 * their waited-for children. Null where the system does not report it: only Linux does.
 */
export function childrenSeconds(pid: number): number | null {
  return readProcessTimes(pid)?.children ?? null
}

/** As `childrenSeconds`, plus the process itself and its running children, except the child `without`. */
export function processorSeconds(pid: number, without?: number): number | null {
  const own = readProcessTimes(pid)
  if (!own) return null
  const running = readdirSync('/proc').map((name) =>
    Number(name) === without ? null : readProcessTimes(Number(name)),
  )
  const live = running.reduce((sum, each) => sum + (each?.parent === pid ? each.own + each.children : 0), 0)
  return own.own + own.children + live
}

function readProcessTimes(pid: number): { parent: number; own: number; children: number } | null {
  try {
    const fields = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '').split(' ')
    const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15).map(Number)
    return {
      parent: Number(fields[1]),
      own: (user + system) / ticks,
      children: (childrenUser + childrenSystem) / ticks,
    }
  } catch {
    return null
  }
}

/**
 * Returns the process that listens on a port of this machine; null where it is unknown, as for other users'
 * processes.
 */
export function listenerOn(port: number): ProcessInfo | null {
  try {
    return process.platform === 'linux' ? listenerOfLinux(port) : listenerByLsof(port)
  } catch {
    return null
  }
}

const listening = '0A'

function listenerOfLinux(port: number): ProcessInfo | null {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const sockets = new Set<string>()
  for (const table of ['tcp', 'tcp6'])
    for (const line of readLines(`/proc/net/${table}`)) {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
      if (state === listening && local.endsWith(`:${hex}`)) sockets.add(`socket:[${inode}]`)
    }
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    if (readDescriptors(pid).some((target) => sockets.has(target)))
      return { pid: Number(pid), command: readCommand(pid) }
  return null
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').slice(1)
  } catch {
    return []
  }
}

function readDescriptors(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`)
      } catch {
        return []
      }
    })
  } catch {
    return []
  }
}

const readCommand = (pid: string) =>
  shortenCommand(readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim())

function listenerByLsof(port: number): ProcessInfo | null {
  const output = execFileSync('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fp'], { encoding: 'utf8' })
  const pid = Number(/^p(\d+)$/m.exec(output)?.[1])
  if (!pid) return null
  const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  return { pid, command: shortenCommand(command.trim()) }
}

const shortenCommand = (command: string) => (command.length > 80 ? `${command.slice(0, 79)}…` : command)
