import { recordsWorld } from './testing.ts'
import { ingest } from './ingest.ts'
import { prepare } from './prepare.ts'
import { system } from '#functions/context.ts'
const N = Number(process.env.N ?? 20000)
const w = await recordsWorld()
const tree = { id:{name:'Id',type:'text'}, species:{name:'Species',type:'text'}, height:{name:'Height',type:'number'}, plantedAt:{name:'Planted',type:'date'}, isAlive:{name:'Alive',type:'boolean'}, location:{name:'Where',type:'point'} } as never
const flight = { date:{name:'Date',type:'date'}, delay:{name:'Delay',type:'number'}, distance:{name:'d',type:'number'}, origin:{name:'o',type:'text'}, destination:{name:'d',type:'text'} } as never
await w.dataType('tree', tree, 'plantedAt'); await w.dataType('flight', flight, 'date')
const s1 = await w.source('tree','public'); const s2 = await w.source('flight','public')
const trees = Array.from({length:N},(_, i)=>({ id:`t${i}`, species:`s${i%40}`, height: i%97/3, plantedAt:new Date(1e12+i*1e6).toISOString(), isAlive:i%3>0, location:{type:'Point',coordinates:[-74-Math.random()*40, 30+Math.random()*12]} }))
const flights = Array.from({length:20000},(_, i)=>({ date:new Date(1e12+i*1e6).toISOString(), delay:i%300, distance:i%2000, origin:`A${i%200}`, destination:`B${i%50}` }))
const ctx = w.as(system)
for (const [name, s, rows, schema] of [['trees',s1,trees,tree],['flights',s2,flights,flight],['again',s1,trees,tree],['changed',s1,trees.map(t=>({...t,height:t.height+1})),tree],['replace',s1,trees.slice(0,N*3/4),tree]] as const) {
  let c = process.cpuUsage(); await prepare(rows, schema); let u = process.cpuUsage(c); const p=(u.user+u.system)/1000
  const t=performance.now(); c = process.cpuUsage(); const r = await ingest(ctx, s, rows as never, { mode: name==='replace'?'replace':'upsert' }); u = process.cpuUsage(c); const ms=performance.now()-t
  const cpu = (u.user+u.system)/1000
  console.log(name, 'cpu: prepare', Math.round(p), 'ms; ingest', Math.round(cpu), 'ms', Math.round(rows.length/(cpu-p)*1000), 'rows/s of cpu; wall', Math.round(ms), JSON.stringify({...r, rejected:r.rejected.length}))
}
await w.close()
