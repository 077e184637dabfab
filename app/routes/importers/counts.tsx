import { Count } from '#app/components/list/time.tsx'
import { listJobCounts, type ShownJob } from '#app/components/importer/job-words.ts'

/** The outcome of the rows as prominent numbers. */
export function Counts({ job }: { job: Pick<ShownJob, 'counts' | 'kind' | 'leftOut'> }) {
  return (
    <dl className="counts">
      {listJobCounts(job).map(([label, n]) => (
        <div key={label} data-kind={label === 'Refused' ? 'refused' : undefined}>
          <dt className="metric-label">{label}</dt>
          <dd className="metric-value">
            <Count n={n} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
