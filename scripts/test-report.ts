import { readFileSync } from 'node:fs'

/** What is read here of Vitest's JSON report. */
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

/** What a run of tests came to. A file that could not be loaded has failed, though none of its tests has. */
interface TestReport {
  passed: number
  failed: number
  /** By file: each test that failed with the first lines of why, or why the file could not be loaded. */
  failures: { file: string; lines: string[] }[]
}

/** Reads the report that Vitest wrote; throws where there is none. */
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
