import { callByName } from '../call-by-name.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as samples from '#functions/domain/sample/sample.ts'
import { Sample, SampleRemoved } from '#functions/shapes/sample.ts'

/** Sample data for a place without data of its own. */
export const sample = {
  sample: endpoint({
    allow: 'activity.read',
    http: { method: 'get', one: true },
    returns: Sample,
    summary:
      'The sample data of a place, or what they would be; what goes and what stays when they are removed',
    run: samples.find,
  }),
  addSample: endpoint({
    allow: 'dataType.create',
    http: { method: 'post', one: true },
    returns: Sample,
    summary:
      'Bring sample data into a place without data: a source, insights and a page, none of them public',
    run: (ctx, request) => samples.add(ctx, request, callByName),
  }),
  removeSample: endpoint({
    allow: 'dataType.delete',
    http: { method: 'post', one: true },
    returns: SampleRemoved,
    summary: 'Remove the sample data of a place at once, and what was made of nothing else',
    run: samples.remove,
  }),
}
