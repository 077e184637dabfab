import { kindNames, statusOf, type ShownJob } from './job-words.ts'

/** What a run is and how it stands. */
export function JobBadge({ job }: { job: Pick<ShownJob, 'status' | 'kind'> }) {
  const { label, look } = statusOf(job.status)
  return (
    <>
      <span className="badge">{kindNames[job.kind]}</span>
      <span className={`badge ${look}`.trim()}>{label}</span>
    </>
  )
}
