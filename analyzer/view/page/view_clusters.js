// Ranks that behave equally: a rank is in the first cluster from whose first rank its share of no
// state, and of no function among its calls, is further away than so much. In the order of ranks, so
// that the same archive has the same clusters; and without edges between which equal ranks fall.

export const STATES_APART = .05; // of the time
export const CALLS_APART = .10; // of the calls of MPI

function sharesOf(numbers) {
  const whole = numbers.reduce((sum, number) => sum + number, 0);
  return numbers.map(number => whole > 0 ? number / whole : 0);
}

function areNear(one, other, apart) {
  return one.every((share, at) => Math.abs(share - other[at]) <= apart + 1e-9);
}

// Profiles of rows: ticks by state of each, and what it calls ([[function, times], …]) of so many.
export function profilesOf(ticks, calls, functions) {
  return ticks.map((states, row) => {
    const times = new Array(functions).fill(0);
    calls[row].forEach(([name, count]) => { times[name] = count; });
    return { states: sharesOf(states), calls: sharesOf(times), times };
  });
}

// [[row, …], …], by the first row of each.
export function clustersOf(profiles) {
  const clusters = [];
  profiles.forEach((profile, row) => {
    const found = clusters.find(([first]) => areNear(profiles[first].states, profile.states, STATES_APART) &&
                                             areNear(profiles[first].calls, profile.calls, CALLS_APART));
    if (found) found.push(row);
    else clusters.push([row]);
  });
  return clusters;
}

// Of some rows: the mean share of each state, and the functions that are called most, [[name, times
// of all of them], …].
export function meanOf(profiles, rows, names, most) {
  const states = profiles[rows[0]].states.map((share, at) => rows.reduce((sum, row) => sum + profiles[row].states[at], 0) / rows.length);
  const times = names.map((name, at) => [name, rows.reduce((sum, row) => sum + profiles[row].times[at], 0)]);
  times.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return { states, called: times.filter(([, count]) => count > 0).slice(0, most) };
}
