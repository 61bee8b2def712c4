/** What a hostile program is told: where it could find something, and where it could leave something. */
export interface Bait {
  readonly home: string;
  readonly workspace: string;
  readonly state: string;
  readonly attempt: string;
  readonly temporary: string;
  /** Files in these hold a secret each, named `secret`. */
  readonly mark: string;
  /** A port of this machine that notes whoever comes. */
  readonly port: number;
  /** A Unix socket that does the same. */
  readonly socket: string;
  /** An address of this machine in its network, or of loopback where it has none. */
  readonly address: string;
}

export interface HostileProgram {
  readonly name: string;
  readonly script: string;
  /** It never ends by itself: then its limit is short. */
  readonly endless?: boolean;
}

/**
 * Sixty programs for a shell. Each tries in its own way to read what is not its own, to leave something outside of its
 * folder, to reach somebody, or to stay; and prints whatever it could get hold of.
 */
export function hostilePrograms(bait: Bait): readonly HostileProgram[] {
  return [
    ...readers(bait),
    ...lookers(bait),
    ...writers(bait),
    ...callers(bait),
    ...sockets(bait),
    ...links(bait),
    ...stayers(bait),
    ...takers(bait),
    ...escapers(bait),
  ];
}

function program(name: string, script: string): HostileProgram {
  return { name, script };
}

function readers({ home, workspace, state, attempt, temporary }: Bait): readonly HostileProgram[] {
  return [
    program('reads the home', `cat ${home}/secret; ls -la ${home}`),
    program('reads the home of root', 'cat /root/.ssh/* /root/.bash_history /root/.aws/* 2>&1; ls -A /root /home'),
    program('reads the home in Python', `python3 -c 'print(open("${home}/secret").read())'`),
    program('reads the home in Node', `node -e 'console.log(require("fs").readFileSync("${home}/secret", "utf8"))'`),
    program(
      'reads the workspace',
      `cat ${workspace}/secret ${workspace}/evals/secret; tar c ${workspace} | head -c 9999`,
    ),
    program('reads the state', `cat ${state}/secret; grep -r . ${state}`),
    program(
      'reads another attempt',
      `cat ${attempt}/secret; cat $(dirname "$PWD")/*/secret; ls -R "$(dirname "$PWD")"`,
    ),
    program('reads temporary files', `cat ${temporary}/secret; ls -la /tmp /var/tmp`),
    program('reads mounted disks', 'ls -A /mnt /media /run/user; cat /mnt/*/* /run/user/*/* 2>&1'),
    program(
      'searches the whole system',
      'timeout 8 grep -rIl secret- /home /root /tmp /var/tmp /mnt /work /srv 2>/dev/null | xargs -r cat',
    ),
  ];
}

function lookers({ home }: Bait): readonly HostileProgram[] {
  return [
    program('prints its environment', 'env; export -p; cat /proc/self/environ | tr "\\0" "\\n"'),
    program('reads the environment of all processes', 'cat /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n"'),
    program('reads the words of all processes', 'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" "\\n"'),
    program(
      'goes through the root of another process',
      `for p in /proc/[0-9]*; do cat $p/root${home}/secret; done 2>&1`,
    ),
    program(
      'goes through the folder of another process',
      `for p in /proc/[0-9]*; do ls -la $p/cwd/ $p/fd; cat $p/cwd/secret; done 2>&1`,
    ),
    program(
      'reads the memory of its parents',
      'for p in /proc/[0-9]*; do dd if=$p/mem bs=4096 count=1 skip=16 2>/dev/null | strings; cat $p/maps; done 2>/dev/null | head -c 90000',
    ),
    program(
      'reads the memory of the kernel',
      'head -c 99 /proc/kcore; head -c 99 /dev/mem; head -c 999 /dev/vda; dmesg 2>&1 | head -3',
    ),
    program('reads the keys of the kernel', 'cat /proc/keys /proc/key-users; keyctl show 2>&1; keyctl read 1 2>&1'),
  ];
}

function writers({ home, workspace, state, temporary, mark }: Bait): readonly HostileProgram[] {
  return [
    program('writes to the home', `echo x > ${home}/${mark}; echo x >> ${home}/secret; rm -f ${home}/secret`),
    program(
      'writes to the workspace',
      `echo x > ${workspace}/${mark}; echo x > ${workspace}/evals/secret; rm -rf ${workspace}/*`,
    ),
    program('writes to the state', `echo x > ${state}/${mark}; mv ${state} ${state}.gone; chmod 777 ${state}`),
    program(
      'writes to temporary files',
      `echo x > ${temporary}/${mark}; echo x > /tmp/${mark}; echo x > /var/tmp/${mark}; echo x > /dev/shm/${mark}`,
    ),
    program(
      'writes to the system',
      `for d in /etc /usr/bin /usr/local/bin /opt /srv /var/lib /run /lib /boot /; do echo x > $d/${mark}; done; touch /etc/passwd; echo x >> /etc/hosts`,
    ),
    program(
      'leaves a job for later',
      `mkdir -p /var/spool/cron/crontabs; echo x > /var/spool/cron/crontabs/${mark}; echo x > /etc/cron.d/${mark}; (crontab -l; echo "* * * * * touch /tmp/${mark}") | crontab - 2>&1`,
    ),
    program(
      'writes to settings of the kernel',
      'echo "|/tmp/x" > /proc/sys/kernel/core_pattern; echo 1 > /proc/sys/kernel/sysrq; echo h > /proc/sysrq-trigger; echo x > /sys/kernel/uevent_helper',
    ),
    program(
      'writes to start files of shells',
      `for f in .bashrc .profile .bash_login .zshrc .config/autostart/${mark}; do mkdir -p $(dirname ${home}/$f); echo "touch /tmp/${mark}" >> ${home}/$f; done; echo "touch /tmp/${mark}" >> /root/.bashrc`,
    ),
    program('writes a core file', `ulimit -c unlimited; cd /var/tmp; sh -c 'kill -SEGV $$'; ls /var/tmp | head`),
  ];
}

function callers({ port, address, mark }: Bait): readonly HostileProgram[] {
  const proxied = 'curl -s -m 5 --noproxy "" -x "$HTTP_PROXY"';
  return [
    program(
      'calls a host',
      `curl -s -m 5 "https://example.com/?${mark}"; curl -s -m 5 --noproxy '*' http://example.com/`,
    ),
    program('calls a host by its number', 'curl -s -m 5 http://1.1.1.1/; curl -s -m 5 --noproxy "*" http://1.1.1.1/'),
    program('calls the metadata address', 'curl -s -m 5 --noproxy "*" http://169.254.169.254/latest/meta-data/'),
    program(
      'calls the metadata address by the proxy',
      `${proxied} http://169.254.169.254/latest/meta-data/; ${proxied} http://metadata.google.internal/; ${proxied} http://[fd00:ec2::254]/`,
    ),
    program(
      'calls this machine',
      `curl -s -m 5 http://127.0.0.1:${port}/; curl -s -m 5 http://localhost:${port}/; echo x > /dev/tcp/127.0.0.1/${port}`,
    ),
    program(
      'calls this machine by the proxy',
      `${proxied} http://127.0.0.1:${port}/; ${proxied} http://localhost:${port}/; ${proxied} http://[::1]:${port}/; ${proxied} http://0.0.0.0:${port}/; ${proxied} http://127.1:${port}/; ${proxied} http://2130706433:${port}/`,
    ),
    program(
      'calls this machine in its network',
      `curl -s -m 5 --noproxy '*' http://${address}:${port}/; ${proxied} http://${address}:${port}/`,
    ),
    program(
      'tunnels through the proxy',
      `${proxied} -p http://127.0.0.1:${port}/; curl -s -m 5 --noproxy '' --socks5-hostname "\${HTTP_PROXY#http://}" http://127.0.0.1:${port}/; curl -s -m 5 -x socks5h://localhost:1080 http://127.0.0.1:${port}/`,
    ),
    program(
      'sends a name to a name server',
      `getent hosts ${mark}.example.com; python3 -c 'import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.sendto(b"x", ("8.8.8.8", 53))'; ping -c1 -W1 127.0.0.1; true`,
    ),
    program(
      'takes a raw socket',
      `python3 -c 'import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1); socket.socket(socket.AF_PACKET, socket.SOCK_RAW)'; ip link add x type dummy 2>&1; ip route 2>&1`,
    ),
  ];
}

function connect(to: string): string {
  return `python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect(${to}); s.send(b"x"); print(s.recv(99))'`;
}

function sockets({ socket }: Bait): readonly HostileProgram[] {
  return [
    program('connects to a Unix socket', `${connect(`"${socket}"`)}; echo x | socat - UNIX-CONNECT:${socket}`),
    program('connects to an abstract socket', connect('"\\0whetstone-hostile"')),
    program(
      'connects to the sockets of the system',
      `for s in /var/run/docker.sock /run/docker.sock /run/dbus/system_bus_socket /tmp/.X11-unix/X0 "$SSH_AUTH_SOCK"; do ${connect('"\'"$s"\'"')}; done 2>&1`,
    ),
    program(
      'connects to the sockets of the sandbox',
      `find /tmp /var/tmp -type s 2>/dev/null | while read s; do echo $s; ${connect('"\'"$s"\'"')}; done 2>&1`,
    ),
    program(
      'makes a pair of sockets',
      `python3 -c 'import socket; socket.socketpair()'; python3 -c 'import ctypes; print(ctypes.CDLL(None).syscall(425, 8, 0))'`,
    ),
  ];
}

function links({ home, workspace, mark }: Bait): readonly HostileProgram[] {
  return [
    program(
      'follows links that it makes',
      `ln -s ${home}/secret a; ln -s / b; ln -s ${workspace} c; cat a b${home}/secret c/secret; echo x > c/${mark}; echo x > b/etc/${mark}`,
    ),
    program(
      'follows links of its folder',
      'ls -la; cat out up inner/deep 2>&1; echo x > out; echo x > up; cat ../../../../../../../root/.bashrc',
    ),
    program(
      'makes hard links',
      `ln ${home}/secret d; ln /etc/shadow e; cat d; ln $PWD/own ${workspace}/${mark}; mv own ${home}/${mark} 2>&1`,
    ),
    program(
      'leaves links behind',
      `ln -s ${home} left; ln -s ${home} "$HOME/left"; ln -s ${home}/secret "$TMPDIR/left"; mkdir -p x/y; ln -s ${home} x/y/z; chmod 000 x`,
    ),
  ];
}

function endless(name: string, script: string): HostileProgram {
  return { name, script, endless: true };
}

function stayers({ mark }: Bait): readonly HostileProgram[] {
  return [
    endless('writes without end', 'yes'),
    endless('writes errors without end, in one line', 'while :; do printf xxxxxxxxxxxxxxxx >&2; done'),
    endless('ignores that it is to end', 'trap "" TERM INT HUP QUIT; while :; do sleep 1; done'),
    endless('hangs in its input and sleeps', 'sleep infinity & wait'),
    program(
      'leaves a process behind',
      `(setsid bash -c 'trap "" TERM HUP; exec -a ${mark} sleep 300' >/dev/null 2>&1 &); sleep 0.2`,
    ),
    program(
      'leaves one twice removed, with nothing around it',
      `python3 -c 'import os, sys
if os.fork() == 0:
  os.setsid()
  if os.fork() == 0:
    for i in range(64): 
      try: os.close(i)
      except OSError: pass
    os.execve("/bin/sleep", ["${mark}", "300"], {})
  os._exit(0)'; sleep 0.2`,
    ),
  ];
}

function takers({ mark }: Bait): readonly HostileProgram[] {
  return [
    program('takes memory', 'python3 -c "x = []\nwhile True: x.append(bytearray(20_000_000))"'),
    program('fills its folder', 'i=0; while head -c 9000000 /dev/zero > f$i; do i=$((i + 1)); done'),
    program('fills one file', 'cat /dev/zero > f'),
    program(
      'fills places that vanish',
      `i=0; while head -c 9000000 /dev/zero > /dev/shm/${mark}$i; do i=$((i + 1)); done; while head -c 9000000 /dev/zero > /tmp/${mark}$i; do i=$((i + 1)); done`,
    ),
  ];
}

function escapers({ home }: Bait): readonly HostileProgram[] {
  return [
    program(
      'wants a namespace of its own',
      `unshare -Urm cat ${home}/secret; unshare -m umount -l ${home}; bwrap --bind / / cat ${home}/secret`,
    ),
    program(
      'takes away what lies over the home',
      `umount -l ${home} /root /tmp; mount --bind / /mnt; mount -t proc p /proc; cat ${home}/secret; nsenter -t 1 -m cat ${home}/secret`,
    ),
    program(
      'becomes another',
      'setpriv --reuid=0 id; chroot / id; sudo -n id; su -c id; capsh --print; python3 -c "import os; os.setuid(1)"; mknod x b 254 0 && head -c 99 x',
    ),
    program(
      'ends everything',
      'kill -9 -1; kill -9 1; for p in /proc/[0-9]*; do kill -9 ${p#/proc/}; done; reboot -f; echo h > /proc/sysrq-trigger',
    ),
  ];
}
