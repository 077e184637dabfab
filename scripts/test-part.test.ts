import { expect, test } from 'vitest'
import { extendedFiles, isExtendedOnly, sampledFiles } from './extended-tests.ts'
import { filesBelow } from './files-below.ts'
import { isOfPart } from './test-part.ts'

const tests = [...filesBelow('.')].filter((path) =>
  /^(?:app|functions|db|scripts)\/.*\.(?:test\.tsx?|walk\.ts)$/.test(path),
)

test('every extended test exists, and none is named twice', () => {
  const listedFiles = [...extendedFiles, ...sampledFiles]
  expect(listedFiles.filter((path) => !tests.includes(path))).toEqual([])
  expect(listedFiles.length).toBe(new Set(listedFiles).size)
})

test('every test is run by `npm test`, once, or by the extended tests', () => {
  for (const path of tests) {
    const usual = ['beside', 'after'].filter((part) => isOfPart(path, part))
    expect([path, usual.length]).toEqual([path, isExtendedOnly(path) ? 0 : 1])
    expect(usual.length === 1 || isOfPart(path, 'extended'), path).toBe(true)
    expect(isOfPart(path, undefined), path).toBe(true)
  }
})
