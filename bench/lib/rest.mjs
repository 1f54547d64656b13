// Calls of Belfry's REST interface over connections that stay open.
import http from 'node:http';

export class Rest {
  constructor(address, connections = 256) {
    this.base = `http://${address}`;
    this.agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  }
  // The body of the answer; an answer of 400 or more is an error.
  text(method, path, body, headers = {}) {
    return new Promise((done, failed) => {
      const data = body === undefined ? undefined : JSON.stringify(body);
      if (data) headers = { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(data) };
      const request = http.request(this.base + path, { method, agent: this.agent, headers }, (answer) => {
        const parts = [];
        answer.on('data', (part) => parts.push(part));
        answer.on('error', failed);
        answer.on('end', () => {
          const text = Buffer.concat(parts).toString();
          if (answer.statusCode < 400) done(text);
          else failed(new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`));
        });
      });
      request.on('error', failed);
      request.end(data);
    });
  }
  async call(method, path, body, headers) {
    const text = await this.text(method, `/api/v1${path}`, body, headers);
    return text ? JSON.parse(text) : null;
  }
  // One figure of /metrics, with labels as they are written there; a missing one is NaN.
  async metric(name) {
    const text = await this.text('GET', '/metrics');
    const line = text.split('\n').find((each) => each.startsWith(`${name} `));
    return line ? +line.slice(name.length + 1) : NaN;
  }
  close() {
    this.agent.destroy();
  }
}
