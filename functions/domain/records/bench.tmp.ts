import { recordsWorld } from '/work/main/functions/domain/records/testing.ts'
import { ingest } from '/work/main/functions/domain/records/ingest.ts'
import { prepare } from '/work/main/functions/domain/records/prepare.ts'
import { system } from '/work/main/functions/context.ts'
const w = await recordsWorld()
const tree = { id:{name:'Id',type:'text'}, species:{name:'Species',type:'text'}, height:{name:'Height',type:'number'}, plantedAt:{name:'Planted',type:'date'}, isAlive:{name:'Alive',type:'boolean'}, location:{name:'Where',type:'point'} } as never
const flight = { date:{name:'Date',type:'date'}, delay:{name:'Delay',type:'number'}, distance:{name:'d',type:'number'}, origin:{name:'o',type:'text'}, destination:{name:'d',type:'text'} } as never
await w.dataType('tree', tree, 'plantedAt'); await w.dataType('flight', flight, 'date')
const s1 = await w.source('tree','public'); const s2 = await w.source('flight','public')
const trees = Array.from({length:20000},(_, i)=>({ id:`t${i}`, species:`s${i%40}`, height: i%97/3, plantedAt:new Date(1e12+i*1e6).toISOString(), isAlive:i%3>0, location:{type:'Point',coordinates:[-74-Math.random()*40, 30+Math.random()*12]} }))
const flights = Array.from({length:20000},(_, i)=>({ date:new Date(1e12+i*1e6).toISOString(), delay:i%300, distance:i%2000, origin:`A${i%200}`, destination:`B${i%50}` }))
const ctx = w.as(system)
for (const [name, s, rows, schema] of [['trees',s1,trees,tree],['flights',s2,flights,flight],['again',s1,trees,tree],['changed',s1,trees.map(t=>({...t,height:t.height+1})),tree],['replace',s1,trees.slice(0,15000),tree]] as const) {
  let t=performance.now(); await prepare(rows, schema); const p=performance.now()-t
  t=performance.now(); const r = await ingest(ctx, s, rows as never, { mode: name==='replace'?'replace':'upsert' }); const ms=performance.now()-t
  console.log(name, 'prepare', Math.round(p), 'ms; ingest', Math.round(ms), 'ms', Math.round(rows.length/(ms-p)*1000), 'rows/s', JSON.stringify({...r, rejected:r.rejected.length}))
}
await w.close()
