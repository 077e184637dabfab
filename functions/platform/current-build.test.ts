import { expect, test } from 'vitest'
import { currentBuild, isCurrentBuild } from './current-build.ts'
import { memoryBucket } from '#db/worlds/ports.ts'

let clock = Date.UTC(2026, 10, 23)

test('one build at a time makes hubs again, the newest; one that was replaced only when the other is silent', async () => {
  const bucket = memoryBucket()
  const asks = (version: string) => isCurrentBuild(bucket, version, new Date(clock))
  expect([await asks('one'), await asks('two'), await asks('one'), await asks('two')]).toEqual([
    true,
    true,
    false,
    true,
  ])
  clock += 4 * 60_000
  expect([await asks('one'), await currentBuild(bucket)]).toEqual([false, 'two'])
  clock += 2 * 60_000
  expect([await asks('one'), await asks('two'), await currentBuild(bucket)]).toEqual([true, false, 'one'])
})
