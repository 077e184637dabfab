import { kindNames, getStatusWords, type ShownJob } from './job-words.ts'

/** Kind and status of a run. */
export function JobBadge({ job }: { job: Pick<ShownJob, 'status' | 'kind'> }) {
  const { label, look } = getStatusWords(job.status)
  return (
    <>
      <span className="badge">{kindNames[job.kind]}</span>
      <span className={`badge ${look}`.trim()}>{label}</span>
    </>
  )
}
