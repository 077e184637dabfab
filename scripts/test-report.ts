import { readFileSync } from 'node:fs'

/** The parts of Vitest's JSON report that are read. */
interface Report {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

/** The result of a test run. A file that could not be loaded has failed, though none of its tests has. */
interface TestReport {
  passed: number
  failed: number
  /**
   * By file: each failed test with the first lines of its error, or the error of a file that could not be
   * loaded.
   */
  failures: { file: string; lines: string[] }[]
}

/** Reads the report that Vitest wrote; throws when there is none. */
export function readTestReport(path: string): TestReport {
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(path, 'utf8')) as Report
  const failures = testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name, message, assertionResults }) => {
      const tests = assertionResults.filter(({ status }) => status === 'failed')
      const lines = tests.map((test) => `${test.fullName}: ${test.failureMessages[0]?.slice(0, 500)}`)
      return { file: name, lines: lines.length > 0 ? lines : [message] }
    })
  return { passed: numPassedTests, failed: numFailedTests, failures }
}
