import { buildColumn, bucket, call, count, field, groupBy, largest, orderBy, type Template } from './parts.ts'

const amount = buildColumn('amount', 'Amount', call('sum', field('amount')))

/** Queries of payments and construction. */
export const money: Template[] = [
  {
    ...{ category: 'Finance', id: 'spending', name: 'Spending by month' },
    notes: 'The sum of payments.',
    visualization: { type: 'area', settings: { x: 'month', y: 'amount' } },
    query: { ...groupBy([bucket('month', 'paidAt')], amount), ...orderBy('month') },
  },
  {
    ...{ category: 'Finance', id: 'departments', name: 'Shares of departments' },
    notes: 'Who spends how much.',
    visualization: { type: 'pie', settings: { label: 'department', y: 'amount' } },
    query: {
      ...groupBy([buildColumn('department', 'Department', field('department'))], amount),
      ...largest('amount'),
    },
  },
  {
    ...{ category: 'Finance', id: 'vendors', name: 'Largest vendors' },
    notes: 'With the number of payments.',
    visualization: { type: 'table' },
    query: {
      ...groupBy([buildColumn('vendor', 'Vendor', field('vendor'))], amount, count),
      ...largest('amount'),
    },
  },
  {
    ...{ category: 'Housing', id: 'homes', name: 'New homes by year' },
    notes: 'Homes that permits were given for.',
    visualization: { type: 'bar', settings: { x: 'year', y: 'homes' } },
    query: {
      ...groupBy([bucket('year', 'issuedAt')], buildColumn('homes', 'Homes', call('sum', field('units')))),
      ...orderBy('year'),
    },
  },
  {
    ...{ category: 'Housing', id: 'building-cost', name: 'What building costs' },
    notes: 'The median of permits by neighborhood.',
    visualization: { type: 'bar', settings: { x: 'neighborhood', y: 'cost' } },
    query: {
      ...groupBy(
        [buildColumn('neighborhood', 'Neighborhood', field('neighborhood'))],
        buildColumn('cost', 'Median cost', call('median', field('cost'))),
      ),
      ...largest('cost'),
    },
  },
  {
    ...{ category: 'Housing', id: 'homes-and-cost', name: 'Homes against cost' },
    notes: 'Each neighborhood: how many homes, and what they cost.',
    visualization: { type: 'scatter', settings: { x: 'homes', y: 'cost', label: 'neighborhood' } },
    query: {
      ...groupBy(
        [buildColumn('neighborhood', 'Neighborhood', field('neighborhood'))],
        buildColumn('homes', 'Homes', call('sum', field('units'))),
        buildColumn('cost', 'Mean cost', call('average', field('cost'))),
      ),
      limit: 1000,
    },
  },
]
