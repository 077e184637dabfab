import { describe, expect, it } from 'vitest'
import { computeMedianReport, toLighthouseReport } from './lighthouse.ts'

const audit = (score: number | null, more: object = {}) => ({
  ...{ score, scoreDisplayMode: 'numeric', title: 'An audit' },
  ...more,
})

const result = {
  categories: {
    performance: { score: 0.9, auditRefs: [{ id: 'largest-contentful-paint', weight: 25 }] },
    accessibility: { score: 1, auditRefs: [{ id: 'label', weight: 7 }] },
    'best-practices': { score: 1, auditRefs: [{ id: 'console', weight: 1 }] },
    seo: { score: 0.8, auditRefs: [{ id: 'meta-description', weight: 1 }] },
  },
  audits: {
    'largest-contentful-paint': audit(0.8, { numericValue: 900, displayValue: '0.9 s' }),
    'cumulative-layout-shift': audit(1, { numericValue: 0.01 }),
    'total-blocking-time': audit(1, { numericValue: 40 }),
    label: audit(1, { scoreDisplayMode: 'binary' }),
    console: audit(null, { scoreDisplayMode: 'notApplicable' }),
    'meta-description': audit(0, {
      scoreDisplayMode: 'binary',
      details: { items: [{ node: { selector: 'head', snippet: '<head>' } }] },
    }),
    'network-requests': audit(null, {
      scoreDisplayMode: 'informative',
      details: {
        items: [
          { resourceType: 'Document', transferSize: 5000 },
          { resourceType: 'Stylesheet', transferSize: 700 },
          { resourceType: 'Script', transferSize: 300 },
          { resourceType: 'Image', transferSize: 90_000 },
        ],
      },
    }),
  },
}

describe('a result of Lighthouse', () => {
  const summary = toLighthouseReport(result)

  it('is read into scores, times and bytes by kind', () => {
    expect(summary.scores).toEqual({ performance: 0.9, accessibility: 1, 'best-practices': 1, seo: 0.8 })
    expect(summary).toMatchObject({ textBytes: 5700, documentBytes: 5000, scriptBytes: 300 })
    expect(summary).toMatchObject({ lcp: 900, cls: 0.01, tbt: 40 })
  })

  it('lists the failed audits and where they failed', () => {
    expect(summary.failed.map((each) => each.audit)).toEqual(['largest-contentful-paint', 'meta-description'])
    expect(summary.failed[1]).toMatchObject({ category: 'seo', weight: 1, at: ['head <head>'] })
  })

  it('throws for a page that could not be measured', () => {
    expect(() => toLighthouseReport({ ...result, runtimeError: { message: 'NO_FCP' } })).toThrow('NO_FCP')
  })

  it('gives the median of several runs, and every audit that failed in one of them', () => {
    const better = { ...summary, lcp: 700, failed: [] }
    const best = { ...summary, lcp: 500, failed: [] }
    expect(computeMedianReport([summary, better, best])).toMatchObject({ lcp: 700, failed: summary.failed })
  })
})
