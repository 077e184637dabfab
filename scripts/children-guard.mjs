// Runs beside a start, in a session of its own: is told on its input which children there are (+pid, -pid), and ends those that are
// left when the input ends, which it does however the start ended. Plain JavaScript, so that it is up at once.
import { createInterface } from 'node:readline'

const children = new Set()
const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  const pid = Number(line.slice(1))
  if (line.startsWith('+')) children.add(pid)
  else children.delete(pid)
})
lines.on('close', () => {
  for (const pid of children) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
  process.exit(0)
})
