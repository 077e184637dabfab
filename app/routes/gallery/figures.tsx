import { DataTable } from '#app/components/hub/data-table.tsx'
import { Figure } from '#app/components/hub/figure.tsx'
import { Legend } from '#app/components/hub/legend.tsx'
import { NumberFigure } from '#app/components/hub/number-figure.tsx'
import { StaleNotice } from '#app/components/hub/stale-notice.tsx'
import { Part, Sample } from './sample.tsx'

const table = {
  columns: [{ label: 'Year' }, { label: 'Trees', isNumber: true }],
  rows: [
    ['2024', '38,200'],
    ['2025', '41,207'],
  ],
}
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 200" role="img" aria-label="Two bars: 38,200 and 41,207">
  <rect x="20" y="60" width="560" height="30" fill="var(--cat-1)"/><rect x="20" y="110" width="604" height="30" fill="var(--cat-1)"/>
</svg>`
const classes = [1, 3, 5].map((step) => ({
  label: `${step * 10} to ${step * 20}`,
  fill: `var(--seq-${step})`,
}))

/** What the workspace shows of answers, as hubs do. What only hubs show has a style sheet of its own, and stands on their pages. */
export function Figures() {
  return (
    <Part title="Figures">
      <Sample name="Figure">
        <Figure
          title="Trees by year"
          sentence="There are 3,007 more trees than a year ago."
          svg={svg}
          table={table}
          legend={{ classes, unit: 'Trees', missing: 2 }}
          csvHref="/gallery"
          note="Counted every November."
          locale="en"
          level={3}
        />
      </Sample>
      <Sample name="NumberFigure">
        <div className="numbers">
          <NumberFigure label="Trees" value="41,207" date="20 Nov 2026" change="+7.9 % in a year" />
          <NumberFigure label="Mean height" value="9.4" unit="m" href="/gallery" />
        </div>
      </Sample>
      <Sample name="Legend">
        <Legend classes={classes} unit="Trees" missing={2} locale="en" />
        <Legend
          classes={[4, 8, 14].map((radius) => ({ label: `${radius * 100}`, fill: 'var(--seq-3)', radius }))}
          locale="en"
        />
      </Sample>
      <Sample name="DataTable">
        <DataTable label="Trees by year" caption="Trees by year" {...table} />
      </Sample>
      <Sample name="StaleNotice">
        <StaleNotice date="20 Nov 2026" locale="en" />
        <StaleNotice locale="en" />
      </Sample>
    </Part>
  )
}
